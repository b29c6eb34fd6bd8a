#' Plan the privacy cost of a fit
#'
#' The cost is computed before any data are opened. Without a model, three of `epsilon`, `delta`,
#' `noise_multiplier` and `steps` are given and the fourth is computed. With a model, the plan also
#' forecasts the noise, if the schema or `rows` says how large the table is.
#'
#' @inheritParams dpvi_check
#' @param model A formula, a Stan file, the text of a Stan program, a [dpvi_model()], or `NULL`.
#' @param epsilon,delta Bound on the privacy loss, and the probability that it fails.
#' @param ... Other settings of a fit by name; [dpvi_settings()] lists them.
#' @return A list of class `dpvi_plan`.
#' @examples
#' dpvi_plan(epsilon = 1, delta = 1e-6, steps = 1000, sampling_rate = 0.1)
#' @export
dpvi_plan <- function(model = NULL, epsilon = NULL, delta = NULL, ..., family = NULL, schema = NULL,
                      public_data = list()) {
  settings <- setting_texts(list(epsilon = epsilon, delta = delta, ...))
  plan <- if (is.null(model)) {
    call_library(lib_plan_privacy(settings))
  } else {
    call_library(lib_plan_fit(model_argument(model, family, schema, public_data), settings))
  }
  plan$phases <- as_frame(plan$phases)
  plan$accountants <- as_frame(plan$accountants)
  if (!is.null(plan$forecast)) plan$forecast <- as_frame(plan$forecast)
  structure(plan, class = "dpvi_plan")
}

#' @export
print.dpvi_plan <- function(x, digits = 4, ...) {
  cat("epsilon ", format(x$epsilon, digits = digits), ", delta ", format(x$delta), ", adjacency ",
      x$adjacency, "\n", sep = "")
  print(x$phases, digits = digits, row.names = FALSE)
  if (!is.null(x$forecast)) {
    cat("Forecast from mock records, on the unconstrained scale\n")
    print(x$forecast, digits = digits, row.names = FALSE)
  }
  invisible(x)
}

#' Settings of a fit
#'
#' @return A data frame with the name, default, meaning and effect of every setting. Those with effect
#'   `"guarantee"` change the privacy guarantee; no other setting does.
#' @examples
#' head(dpvi_settings())
#' @export
dpvi_settings <- function() {
  settings <- as_frame(lib_settings())
  settings$name <- gsub("-", "_", settings$name, fixed = TRUE)
  settings
}
