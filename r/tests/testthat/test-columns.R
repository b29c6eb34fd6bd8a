test_that("columns of every type hold the same records", {
  stays <- make_stays(400)
  stays$age <- round(stays$age)
  expected <- same_fit(stays)
  expect_identical(same_fit(transform(stays, ward = as.character(ward))), expected)
  expect_identical(same_fit(transform(stays, died = died == 1)), expected)
  expect_identical(same_fit(transform(stays, age = as.integer(age))), expected)
  expect_identical(same_fit(transform(stays, ward = factor(ward, c("west", "north", "south")))),
                   expected)
  file <- tempfile(fileext = ".csv")
  utils::write.csv(stays, file, row.names = FALSE)
  expect_identical(same_fit(file), expected)
})

test_that("missing cells of every type leave their row out", {
  stays <- make_stays(400)
  gaps <- stays
  gaps$age[3] <- NA
  gaps$ward[5] <- NA
  gaps$died[7] <- NA
  file <- tempfile(fileext = ".csv")
  utils::write.csv(gaps, file, row.names = FALSE)
  digits <- gaps
  digits$age <- utils::read.csv(file)$age
  expect_identical(same_fit(digits), same_fit(file))
  expect_false(identical(same_fit(gaps), same_fit(stays)))
})

test_that("integer64 columns are whole numbers", {
  skip_if_not_installed("bit64")
  stays <- make_stays(400)
  expected <- same_fit(stays)
  stays$died <- bit64::as.integer64(stays$died)
  expect_identical(same_fit(stays), expected)
})

test_that("haven's labels are levels, and its missing values are missing", {
  skip_if_not_installed("haven")
  stays <- make_stays(400)
  expected <- same_fit(stays)
  labelled <- stays
  labelled$ward <- haven::labelled(as.double(stays$ward), c(north = 1, south = 2, west = 3))
  expect_identical(same_fit(labelled), expected)
  gaps <- stays
  gaps$ward[stays$ward == "west"] <- NA
  labelled$ward <- haven::labelled_spss(as.double(stays$ward), c(north = 1, south = 2, west = 3),
                                        na_values = 3)
  expect_identical(same_fit(labelled), same_fit(gaps))
  path <- tempfile(fileext = ".sav")
  labelled$ward <- haven::labelled(as.double(stays$ward), c(north = 1, south = 2, west = 3))
  haven::write_sav(labelled, path)
  expect_identical(same_fit(haven::read_sav(path)), expected)
})

test_that("dates are days", {
  schema <- dpvi_schema(list(columns = list(day = list(type = "real", mean = 18000, sd = 100))))
  days <- data.frame(day = as.Date("2019-04-14") + 0:99)
  expected <- same_fit(data.frame(day = 18000 + 0:99), "data { int<lower=0> N; vector[N] day; }
    parameters { real mu; } model { mu ~ normal(18000, 100); day ~ normal(mu, 30); }", schema)
  days$day <- as.Date(18000 + 0:99, origin = "1970-01-01")
  expect_identical(same_fit(days, "data { int<lower=0> N; vector[N] day; }
    parameters { real mu; } model { mu ~ normal(18000, 100); day ~ normal(mu, 30); }", schema),
    expected)
})

test_that("types decide what is refused, never cells", {
  stays <- make_stays(50)
  stays$died <- factor(ifelse(stays$died == 1, "yes", "no"))
  refused <- failure(dpvi_fit(program, stays, epsilon = 1))
  expect_s3_class(refused, "dpvi_DP340")
  expect_match(conditionMessage(refused), "'died' is a factor or text")
  stays$notes <- I(as.list(1:50))
  expect_warning(failure(dpvi_fit(program, stays, epsilon = 1)), "left out: notes")
  expect_s3_class(failure(dpvi_fit(program, 1:3, epsilon = 1)), "dpvi_error")
})

test_that("messages and results do not depend on cells", {
  silent <- function(data) {
    words <- character()
    withCallingHandlers(
      dpvi_fit(program, data, epsilon = 1, steps = 20, draws = 10, schema = stays_schema),
      condition = function(c) if (!inherits(c, "message")) NULL else {
        words <<- c(words, conditionMessage(c)); invokeRestart("muffleMessage")
      })
    words
  }
  ordinary <- make_stays(100)
  odd <- data.frame(age = c(NA, NaN, Inf, -1e300, rep(5, 96)), died = rep(c(NA, 7L), 50),
                    ward = "elsewhere")
  private_words <- grep("No ledger", silent(odd), value = TRUE)
  expect_identical(private_words, grep("No ledger", silent(ordinary), value = TRUE))
  expect_false(any(grepl("1e+300|1e300|NaN", silent(odd))))
})

test_that("a template holds names and types only", {
  stays <- make_stays(10)
  stays$ward <- factor(paste0("secret", 1:10))
  stays$patient_id <- 901:910
  text <- unclass(dpvi_schema(stays))
  expect_false(grepl("secret|90[0-9]", text))
  expect_match(text, "[columns.ward]\ntype = \"category\"", fixed = TRUE)
  expect_match(text, "patient_id", fixed = TRUE)
  shuffled <- stays[10:1, ]
  shuffled$age <- shuffled$age * 2
  expect_identical(dpvi_schema(shuffled), dpvi_schema(stays))
})

test_that("a schema is a list, a text or a file", {
  path <- tempfile(fileext = ".toml")
  dpvi_schema(stays_schema, file = path)
  stays <- make_stays(200)
  expect_identical(same_fit(stays, schema = path), same_fit(stays))
  expect_identical(same_fit(stays, schema = unclass(stays_schema)[1]), same_fit(stays))
  expect_error(dpvi_schema("nowhere.toml"), "no schema")
})
