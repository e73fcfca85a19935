# What `kubectl edit` starts: an editor that turns one word into another.
sed -i 's/colour: red/colour: blue/' "$1"
