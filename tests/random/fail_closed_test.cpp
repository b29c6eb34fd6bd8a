#include <dlfcn.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <cstdlib>

#include <dpvi/random/fail_closed.hpp>
#include <dpvi/random/secure_generator.hpp>
#include <tests/random/child_process.hpp>
#include <tests/random/failing_calls.hpp>
#include <tests/support/fixed_key_generator.hpp>

namespace dpvi {

FailingCall failing_call = FailingCall::none;

namespace {

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace
}  // namespace dpvi

// Interpose OpenSSL's functions of the same names.
extern "C" {

EVP_CIPHER_CTX* EVP_CIPHER_CTX_new() {
  if (dpvi::failing_call == dpvi::FailingCall::new_context) return nullptr;
  return dpvi::real<decltype(EVP_CIPHER_CTX_new)>("EVP_CIPHER_CTX_new")();
}

int EVP_CIPHER_CTX_copy(EVP_CIPHER_CTX* out, const EVP_CIPHER_CTX* in) {
  if (dpvi::failing_call == dpvi::FailingCall::copy_context) return 0;
  return dpvi::real<decltype(EVP_CIPHER_CTX_copy)>("EVP_CIPHER_CTX_copy")(out, in);
}

int EVP_EncryptInit_ex(EVP_CIPHER_CTX* context, const EVP_CIPHER* cipher, ENGINE* engine,
                       const unsigned char* key, const unsigned char* iv) {
  if (dpvi::failing_call == dpvi::FailingCall::init) return 0;
  return dpvi::real<decltype(EVP_EncryptInit_ex)>("EVP_EncryptInit_ex")(context, cipher, engine,
                                                                        key, iv);
}

int EVP_EncryptUpdate(EVP_CIPHER_CTX* context, unsigned char* out, int* written,
                      const unsigned char* in, int size) {
  if (dpvi::failing_call == dpvi::FailingCall::update) return 0;
  const int result =
      dpvi::real<decltype(EVP_EncryptUpdate)>("EVP_EncryptUpdate")(context, out, written, in, size);
  if (dpvi::failing_call == dpvi::FailingCall::short_update) --*written;
  return result;
}

}  // extern "C"

namespace dpvi {
namespace {

constexpr StreamAddress kAddress{StreamLabel::noise, 1, 2};

testing::ExitedWithCode failed_closed() { return testing::ExitedWithCode(70); }

class FailClosed : public testing::Test {
 protected:
  void TearDown() override {
    failing_call = FailingCall::none;
    kernel_entropy = KernelEntropy::real;
  }
};

// Guarantee: failing entropy ends the process before any word is given.
TEST_F(FailClosed, FailingEntropyEndsTheProcess) {
  kernel_entropy = KernelEntropy::fails;
  EXPECT_EXIT(SecureGenerator(), failed_closed(), "error\\[DP901\\].*getrandom");
  kernel_entropy = KernelEntropy::ends;
  EXPECT_EXIT(SecureGenerator(), failed_closed(), "error\\[DP901\\].*getrandom");
}

TEST_F(FailClosed, FailingCipherEndsTheProcess) {
  for (const FailingCall call : {FailingCall::new_context, FailingCall::init}) {
    failing_call = call;
    EXPECT_EXIT(SecureGenerator(), failed_closed(), "error\\[DP901\\].*OpenSSL");
  }
}

// A death test runs in a forked child, so it may only use generators made there.
void start_stream_while(FailingCall call) {
  const SecureGenerator generator;
  failing_call = call;
  generator.stream(kAddress);
}

TEST_F(FailClosed, FailingStreamEndsTheProcess) {
  for (const FailingCall call :
       {FailingCall::new_context, FailingCall::copy_context, FailingCall::init}) {
    EXPECT_EXIT(start_stream_while(call), failed_closed(), "error\\[DP901\\].*OpenSSL");
  }
}

void draw_words_while(FailingCall call, std::size_t count) {
  const SecureGenerator generator;
  SecureStream stream = generator.stream(kAddress);
  std::vector<std::uint64_t> words(count);
  failing_call = call;
  stream.fill(words);
  stream.next();
}

TEST_F(FailClosed, FailingWordsEndTheProcess) {
  for (const FailingCall call : {FailingCall::update, FailingCall::short_update}) {
    for (const std::size_t count : {0U, 3U}) {
      EXPECT_EXIT(draw_words_while(call, count), failed_closed(),
                  "error\\[DP901\\].*OpenSSL cannot produce");
    }
  }
}

TEST_F(FailClosed, InterruptedEntropyIsAskedAgain) {
  kernel_entropy = KernelEntropy::interrupted_then_real;
  const SecureGenerator generator;
  EXPECT_NE(generator.stream(kAddress).next(), SecureGenerator().stream(kAddress).next());
}

TEST_F(FailClosed, KeyIsAllThirtyTwoBytesOfTheKernelEvenIfTheyComeInPieces) {
  FixedKeyForTests::Key key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  kernel_entropy = KernelEntropy::counts_up_two_at_a_time;
  const SecureGenerator generator;
  EXPECT_EQ(generator.stream(kAddress).next(),
            FixedKeyForTests::generator(key).stream(kAddress).next());
}

// Draws `one_by_one` words by next() and `together` by fill() from a stream with `counters` left.
void draw_near_the_end(std::uint64_t counters, std::size_t one_by_one, std::size_t together) {
  const SecureGenerator generator;
  SecureStream stream =
      FixedKeyForTests::late_stream(generator, kAddress, kStreamFieldLimit - counters);
  for (std::size_t i = 0; i < one_by_one; ++i) stream.next();
  std::vector<std::uint64_t> words(together);
  stream.fill(words);
}

// Guarantee: a stream ends the process rather than run into the next one.
TEST_F(FailClosed, StreamEndsTheProcessRatherThanRunIntoTheNext) {
  draw_near_the_end(8, 16, 0);
  draw_near_the_end(8, 0, 16);
  draw_near_the_end(8, 3, 13);
  EXPECT_EXIT(draw_near_the_end(8, 17, 0), failed_closed(), "error\\[DP901\\].*used up");
  EXPECT_EXIT(draw_near_the_end(8, 0, 17), failed_closed(), "error\\[DP901\\].*used up");
  EXPECT_EXIT(draw_near_the_end(8, 3, 14), failed_closed(), "error\\[DP901\\].*used up");
}

void start_stream_at(std::uint64_t step, std::uint64_t block) {
  SecureGenerator().stream({StreamLabel::noise, step, block}).next();
}

TEST_F(FailClosed, AddressOutOfRangeEndsTheProcess) {
  start_stream_at(kStreamFieldLimit - 1, kStreamFieldLimit - 1);
  EXPECT_EXIT(start_stream_at(kStreamFieldLimit, 0), failed_closed(), "out of range");
  EXPECT_EXIT(start_stream_at(0, kStreamFieldLimit), failed_closed(), "out of range");
}

TEST_F(FailClosed, MovedFromGeneratorEndsTheProcess) {
  SecureGenerator first;
  const SecureGenerator second = std::move(first);
  // NOLINTNEXTLINE(bugprone-use-after-move): this is the behaviour under test.
  EXPECT_EXIT(first.stream(kAddress), failed_closed(), "moved-from");
}

// No exit handler, destructor or buffered output writes anything during the exit.
TEST_F(FailClosed, NothingRunsOnTheWayOut) {
  static std::function<void(std::uint64_t)> report;
  const ChildResult child = in_child(ForkBy::library_call, [](auto report_up) {
    report = report_up;
    std::atexit([] { report(1); });
    fail_closed("test");
  });
  EXPECT_EQ(child.exit_code, 70);
  EXPECT_TRUE(child.words.empty());
}

}  // namespace
}  // namespace dpvi
