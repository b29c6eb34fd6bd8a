library(testthat)
library(dpvi)

test_check("dpvi")
