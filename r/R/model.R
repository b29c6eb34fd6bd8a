#' A Stan program to be fitted privately
#'
#' @param program The name of a Stan file, or the text of a program.
#' @param schema Public facts about the columns; see [dpvi_schema()].
#' @param public_data Public data variables of the program, as a named list of numbers, vectors and
#'   arrays.
#' @param records The name of the record count in the program, if it is not `N`.
#' @return An object of class `dpvi_model`.
#' @examples
#' model <- dpvi_model("
#'   data { int<lower=0> N; array[N] int<lower=0, upper=1> y; }
#'   parameters { real<lower=0, upper=1> p; }
#'   model { y ~ bernoulli(p); }")
#' dpvi_check(model)
#' @export
dpvi_model <- function(program, schema = NULL, public_data = list(), records = NULL) {
  if (inherits(program, "dpvi_model")) return(program)
  if (!is.character(program)) {
    refuse("a model is a formula, a Stan file or the text of a Stan program.", "See ?dpvi_model.")
  }
  is_text <- length(program) > 1 || grepl("[{\n]", program)
  model <- if (is_text) {
    list(file = "model.stan", text = enc2utf8(paste(program, collapse = "\n")))
  } else {
    list(file = path.expand(program))
  }
  structure(class = "dpvi_model", c(model, list(schema = schema, public_data = as.list(public_data),
                                                records = records)))
}

#' @export
print.dpvi_model <- function(x, ...) {
  if (is.null(x$text)) cat("Stan program", x$file, "\n") else cat(x$text, "\n")
  invisible(x)
}

#' Check a model without any data
#'
#' Reports which columns and public values a model needs, its parameters, and everything that would
#' prevent a fit. Reads no private data.
#'
#' @param model A formula, a Stan file, the text of a Stan program, or a [dpvi_model()].
#' @param family Of a formula: a name or a family object, such as `"poisson"` or `binomial()`.
#' @param schema Public facts about the columns; see [dpvi_schema()].
#' @param public_data Public data variables of the program, as a named list of numbers, vectors and
#'   arrays.
#' @return A list of class `dpvi_check`: `ok`, `parameters`, `record_data`, `public_data`,
#'   `public_data_missing`, `findings` and the `program`.
#' @examples
#' dpvi_check("data { int<lower=0> N; vector[N] x; }
#'             parameters { real mu; } model { x ~ normal(mu, 1); }")
#' @export
dpvi_check <- function(model, family = NULL, schema = NULL, public_data = list()) {
  found <- call_library(lib_check(model_argument(model, family, schema, public_data)))
  found$parameters <- as_frame(found$parameters)
  found$findings <- as_frame(found$findings)
  structure(found, class = "dpvi_check")
}

#' @export
print.dpvi_check <- function(x, ...) {
  cat(x$model, if (x$ok) ": can be fitted\n" else ": cannot be fitted\n", sep = "")
  for (i in seq_len(nrow(x$findings))) {
    cat(x$findings$severity[i], "[", x$findings$code[i], "] ", x$findings$message[i], "\n", sep = "")
  }
  cat("Record data:", x$record_data, "\n")
  if (length(x$public_data) > 0) cat("Public data:", x$public_data, "\n")
  if (length(x$public_data_missing) > 0) cat("Still to declare:", x$public_data_missing, "\n")
  print(x$parameters, row.names = FALSE)
  invisible(x)
}

as_frame <- function(columns) as.data.frame(columns, stringsAsFactors = FALSE)

#' Write a regression as a Stan program
#'
#' The program is for people to read, edit and fit. Its numbers come from the schema alone.
#'
#' @inheritParams dpvi_check
#' @param formula A formula of columns that the schema declares; see the vignette for what it may hold.
#' @return The text of the program.
#' @examples
#' schema <- dpvi_schema(list(columns = list(
#'   y = list(type = "real", mean = 0, sd = 1), x = list(type = "real", mean = 50, sd = 10))))
#' cat(dpvi_formula(y ~ x, gaussian(), schema))
#' @export
dpvi_formula <- function(formula, family = "gaussian", schema) {
  call_library(lib_formula(model_argument(formula, family, schema)))
}
