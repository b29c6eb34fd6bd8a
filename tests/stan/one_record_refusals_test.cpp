#include "model_reading.hpp"

// Programs in which single records have no contribution of their own.
namespace dpvi {
namespace {

TEST(OneRecordRefusals, RefusalsNameTheLineAndTheWayOut) {
  EXPECT_EQ(first_error("data { int n; vector[n] y; } parameters { real m; } model { }"),
            "1:1 The data block declares no int 'N', the record count. Give --records n if it "
            "counts the records.");
  EXPECT_EQ(
      first_error("data { int N_obs; int N_cens; vector[N_obs] y; vector[N_cens] c; }\nmodel "
                  "{ }"),
      "1:1 The data block declares no int 'N', the record count. Give --records NAME with "
      "the one of N_obs, N_cens that counts the records. If several do, give each its table: "
      "--table N_obs=FILE --table N_cens=FILE; or rows of one file, in the schema: "
      "[tables.N_obs] where = {column = \"event\", equals = \"...\"}, [tables.N_cens] where = "
      "{column = \"event\", equals = \"...\"}.");
  EXPECT_EQ(first_error("data { int N;\n matrix[N, N] d; } model { }"),
            "2:12 'd' uses the record count N in another place than its first size. Record data "
            "have the record count as their first size and nowhere else; write one value or row "
            "per record.");
  EXPECT_EQ(first_error("data { int n; int k; } parameters { real p; } model { }"),
            "1:1 The data block declares no int 'N', the record count. No data variable has one "
            "entry for each record. Declare the records as a table, e.g. int N; array[N] int y. A "
            "value computed from all of them (a number of successes) is not a record.");
  // N is not a count here, and sizes computed from it say nothing about records.
  EXPECT_EQ(first_error("data { int J; array[J] int N; array[sum(N)] real y; } model { }"),
            "1:1 The data block declares no int 'N', the record count. Give --records J if it "
            "counts the records.");
  EXPECT_EQ(first_error("data { int J; array[J] int size;\n array[sum(size)] real y; } model { }",
                        {.record_count = "J"}),
            "2:8 The size of 'y', sum(size), is computed from record data ('size'). Write a table "
            "with one row for each value, counted by an int of its own (--records), and a column "
            "with the group. If the rows of a group belong to one person, a unit in the schema "
            "makes them one record.");
  EXPECT_EQ(first_error("data { int N; int K; vector[N] y; vector[K] x; } model { }"),
            "1:19 Public data 'K' (int) has no value. Declare it in [public], in --public "
            "FILE.json, or by -D K=....");
  EXPECT_EQ(
      first_error("data { int N; vector[N] y; }\nparameters { vector[N] z; } model { }"),
      "2:24 The latent variables of a record (z) cannot be integrated out: the density of a "
      "record does not depend on all of them. Give each a prior that does not depend on other "
      "records.");
  EXPECT_EQ(first_error("data { int N; vector[N] y; }\nparameters { vector[N] a; real b; "
                        "array[N] real c; } model { }"),
            "2:24 The latent variables of a record (a, c) cannot be integrated out: the density of "
            "a record does not depend on all of them. Give each a prior that does not depend on "
            "other records.");
  EXPECT_EQ(first_error("data { int N; vector[N] y; }\nparameters { real<lower=0, upper=N> z; } "
                        "model { }"),
            "2:34 A bound of parameter 'z' depends on the number of records. Give it as public "
            "data: a number of its own that is the same for every table.");
  EXPECT_EQ(first_error("data { int N; vector[N] y; }\nparameters { real<lower=y[1]> z; } model { "
                        "}"),
            "2:25 A bound of parameter 'z' depends on record data. Give it as public data.");
  EXPECT_EQ(first_error("data { int N; array[N] int k; } parameters { real z; }\nmodel { for (n in "
                        "1:N) for (i in 1:k[n]) target += z; }"),
            "2:24 The end of a loop depends on record data; it must be known before the program "
            "runs. Declare lower and upper bounds, not far apart, for the record data that it is "
            "computed from.");
  EXPECT_EQ(first_error("data { int N; array[N] int k; } transformed data { int m = sum(k); }\n"
                        "parameters { vector[m] z; } model { }"),
            "2:24 The size of parameter 'z' is computed from record data. Give it as public data.");
}

// A program runs on zero records and on one; its bounds on N apply to the whole table.
TEST(OneRecordRefusals, DensitiesThatDoNotFactoriseAreRefusedWithTheirLine) {
  const std::string head = "data { int N; vector[N] y; }\nparameters { real m; }\nmodel {\n";
  const std::string why =
      " This statement does not add a sum of one contribution per record. A record's contribution "
      "may use that record alone; give values computed from all of them (means, neighbours, "
      "totals) as public data.";
  EXPECT_EQ(first_error(head + "m ~ normal(0, 1);\ntarget += square(sum(y) - m); }"), "5:1" + why);
  const std::string neighbour =
      " This reads values of a neighbouring record together with the record's own. A record's "
      "contribution may use that record alone: give the values that it needs of its neighbours as "
      "columns of its own, or make a whole series one record, e.g. 'array[N] vector[T] y'.";
  EXPECT_EQ(first_error(head + "for (n in 2:N) y[n] ~ normal(m * y[n - 1], 1); }"),
            "4:34" + neighbour);
  // The error names the statement that reads a neighbour, not the one that uses the result.
  EXPECT_EQ(first_error("data { int N; vector[N] y; }\nparameters { real<lower=0> a; }\n"
                        "transformed parameters { vector[N] s = rep_vector(a, N);\n"
                        "for (t in 2:N) s[t] = a + square(y[t - 1]) + 0.1 * s[t - 1]; }\n"
                        "model { y ~ normal(0, s); }"),
            "4:34" + neighbour + " (1 more)");
  EXPECT_EQ(first_error(head + "y ~ normal(m, 1);\ntarget += log_sum_exp(y * m); }"), "5:1" + why);
  EXPECT_EQ(first_error(head + "target += sum(y) * m; }"), "none");
  EXPECT_EQ(first_error(head + "target += m * N^2; }"), "4:1" + why);
}

TEST(OneRecordRefusals, ProgramsBeyondTheLimitsAreStopped) {
  const std::string head = "data { int N; } parameters { real m; }\nmodel {\n";
  const std::string stopped = "The program was stopped here after";
  EXPECT_NE(first_error(head + "for (i in 1:1000000000) target += m * i; }").find(stopped),
            std::string::npos);
  EXPECT_NE(first_error(head + "while (1) { } }").find(stopped), std::string::npos);
  EXPECT_EQ(first_error(head + "vector[1000000000] x; }"),
            "3:8 A value has 1000000000 entries; the limit is 4000000.");
  EXPECT_NE(first_error(head + "array[1000, 1000, 1000] real x; }").find("the limit is 4000000"),
            std::string::npos);
}

}  // namespace
}  // namespace dpvi
