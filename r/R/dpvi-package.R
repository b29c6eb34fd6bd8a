#' Private Bayesian inference for Stan programs and formulas
#'
#' [dpvi_fit()] fits a model to sensitive records. [dpvi_schema()] declares what is public about them,
#' [dpvi_plan()] computes the privacy cost beforehand, and [dpvi_ledger()] adds it up.
#'
#' @useDynLib dpvi, .registration = TRUE
#' @keywords internal
"_PACKAGE"

.onLoad <- function(libname, pkgname) lib_protect_keys()
