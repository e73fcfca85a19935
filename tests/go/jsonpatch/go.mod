module flyball.dev/tests/jsonpatch

go 1.21

require gopkg.in/evanphx/json-patch.v4 v4.13.0
