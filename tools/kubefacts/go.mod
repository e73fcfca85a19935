module flyball/tools/kubefacts

go 1.22
