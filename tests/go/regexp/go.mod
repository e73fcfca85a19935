module regexpvectors

go 1.19
