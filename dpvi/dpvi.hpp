#pragma once

// Everything that a program needs to fit a model privately and to publish the result.

#include <dpvi/api/fit.hpp>
#include <dpvi/api/ledger_account.hpp>
#include <dpvi/api/opened_bundle.hpp>
#include <dpvi/api/program.hpp>
#include <dpvi/api/rank_job.hpp>
#include <dpvi/api/settings.hpp>
#include <dpvi/api/unprotected_fit.hpp>
#include <dpvi/api/version.hpp>
#include <dpvi/api/write_bundle.hpp>
