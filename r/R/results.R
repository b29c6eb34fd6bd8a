privacy_line <- function(fit) {
  if (!fit$private) return("NOT PRIVATE: made without protection. Do not publish.")
  paste0("Private: epsilon ", format(fit$epsilon, digits = 4), ", delta ", format(fit$delta),
         ", adjacency ", fit$adjacency)
}

status_lines <- function(fit) {
  reasons <- vapply(seq_along(fit$reasons$status), function(i) {
    names <- fit$reasons$parameters[[i]]
    more <- length(names) - 6
    shown <- paste(utils::head(names, 6), collapse = ", ")
    paste0("- ", fit$reasons$status[i], ": ", fit$reasons$reason[i],
           if (length(names) > 0) paste0(": ", shown), if (more > 0) paste0(" and ", more, " more"))
  }, character(1))
  c(paste("Status:", fit$status), reasons, fit$advice)
}

#' Look at a fit
#'
#' `sd` and quantiles carry the whole uncertainty: that of the model and that of the privacy noise.
#' `sd_model` and `sd_privacy` are what each alone would give.
#'
#' @param object,x A fit.
#' @param digits Significant digits to print.
#' @param ... Ignored.
#' @return `summary()` returns a data frame with one row for each quantity.
#' @export
summary.dpvi_fit <- function(object, ...) {
  structure(object$summary, class = c("dpvi_summary", "data.frame"),
            lines = c(privacy_line(object), status_lines(object)))
}

#' @rdname summary.dpvi_fit
#' @export
print.dpvi_summary <- function(x, digits = 4, ...) {
  lines <- attr(x, "lines")
  if (!is.null(lines)) writeLines(c(lines, ""))
  shown <- as.data.frame(x)
  class(shown) <- "data.frame"
  print(shown, digits = digits, row.names = FALSE)
  invisible(x)
}

#' @rdname summary.dpvi_fit
#' @export
print.dpvi_fit <- function(x, digits = 4, ...) {
  print(summary(x), digits = digits)
  cat("\nResult:", x$path, "\n")
  invisible(x)
}

#' Draws for the posterior package
#'
#' @param x A fit.
#' @param ... Ignored.
#' @return An object of class `draws_array` of the package `posterior`, with one chain for each chain
#'   that was sampled.
#' @exportS3Method posterior::as_draws
as_draws.dpvi_fit <- function(x, ...) {
  chains <- max(1, x$chains)
  size <- nrow(x$draws) / chains
  array <- array(x$draws, c(size, chains, ncol(x$draws)),
                 list(iteration = NULL, chain = NULL, variable = colnames(x$draws)))
  posterior::as_draws_array(array)
}

#' @exportS3Method posterior::as_draws_df
as_draws_df.dpvi_fit <- function(x, ...) posterior::as_draws_df(as_draws.dpvi_fit(x))

#' @exportS3Method posterior::as_draws_matrix
as_draws_matrix.dpvi_fit <- function(x, ...) posterior::as_draws_matrix(as_draws.dpvi_fit(x))

#' @exportS3Method posterior::as_draws_array
as_draws_array.dpvi_fit <- function(x, ...) as_draws.dpvi_fit(x)

#' @exportS3Method posterior::as_draws_rvars
as_draws_rvars.dpvi_fit <- function(x, ...) posterior::as_draws_rvars(as_draws.dpvi_fit(x))

#' @export
as.matrix.dpvi_fit <- function(x, ...) x$draws

#' @export
as.data.frame.dpvi_fit <- function(x, ...) as.data.frame(x$draws, optional = TRUE)

#' @importFrom stats coef
#' @export
coef.dpvi_fit <- function(object, ...) {
  stats::setNames(object$summary$mean, object$summary$variable)
}

#' Plot a fit
#'
#' With `bayesplot` installed, any of its `mcmc_` plots; else intervals of base graphics.
#'
#' @param x A fit.
#' @param type Name of the plot without `mcmc_`, such as `"intervals"`, `"areas"` or `"pairs"`.
#' @param variables Names of the quantities; by default all.
#' @param ... Passed to the plot.
#' @return A plot of `bayesplot`; `NULL` without that package.
#' @importFrom graphics axis plot.default segments points
#' @export
plot.dpvi_fit <- function(x, type = "intervals", variables = NULL, ...) {
  draws <- x$draws
  if (!is.null(variables)) {
    unknown <- setdiff(variables, colnames(draws))
    if (length(unknown) > 0) {
      refuse(paste0("the fit has no variable '", unknown[1], "'."),
             paste0("It has ", paste(utils::head(colnames(draws), 20), collapse = ", "), "."))
    }
    draws <- draws[, variables, drop = FALSE]
  }
  if (requireNamespace("bayesplot", quietly = TRUE)) {
    drawing <- paste0("mcmc_", type)
    if (!drawing %in% getNamespaceExports("bayesplot")) {
      refuse(paste0("bayesplot has no plot '", drawing, "'."), "See bayesplot::available_mcmc().")
    }
    return(getExportedValue("bayesplot", drawing)(draws, ...))
  }
  if (type != "intervals") {
    refuse(paste0("plots of type '", type, "' need the package bayesplot."), "Install it.")
  }
  ends <- apply(draws, 2, stats::quantile, c(0.05, 0.5, 0.95))
  place <- rev(seq_len(ncol(draws)))
  plot.default(range(ends), range(place), type = "n", yaxt = "n", xlab = "", ylab = "", ...)
  axis(2, place, colnames(draws), las = 1)
  segments(ends[1, ], place, ends[3, ], place)
  points(ends[2, ], place, pch = 19)
  invisible(NULL)
}
