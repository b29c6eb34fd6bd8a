# Errors of the library become conditions here, and nowhere else.

# Calls the library. A failure becomes an error of class `dpvi_error`, of a class for its kind
# (`dpvi_budget`, `dpvi_bad_input`, ...) and of a class for its code (`dpvi_DP341`).
call_library <- function(result) {
  if (!inherits(result, "dpvi_failure")) return(result)
  place <- result$file
  if (nzchar(place) && result$line > 0) place <- paste0(place, ":", result$line)
  words <- c(if (nzchar(place)) paste0(place, ":"), result$message,
             if (nzchar(result$hint)) result$hint)
  stop(structure(
    class = c(paste0("dpvi_", c(result$code, result$kind)), "dpvi_error", "error", "condition"),
    list(message = paste0("[", result$code, "] ", paste(words, collapse = " ")), call = NULL,
         code = result$code, kind = result$kind, hint = result$hint,
         file = result$file, line = result$line, budget = result$budget)))
}

# An error in the arguments, found before the library is called.
refuse <- function(message, hint = "") {
  call_library(structure(class = "dpvi_failure", list(
    code = "DP103", kind = "usage", message = message, hint = hint, file = "", line = 0L)))
}

say <- function(quiet, ...) if (!quiet) message(...)
