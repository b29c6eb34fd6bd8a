#include <dpvi/random/batch_generator.hpp>

#include <dpvi/random/fail_closed.hpp>
#include <dpvi/random/internal/keyed_counter.hpp>
#include <dpvi/random/shared_key.hpp>

namespace dpvi {

BatchGenerator::BatchGenerator(RankLink& ranks)
    : shared_(keyed_counter(SharedKey(ranks).bytes())) {}

SecureStream BatchGenerator::stream(const StreamAddress& address) const {
  if (own_) return own_->stream(address);
  if (!process_.holds()) fail_closed("a generator was used after fork()");
  return SecureStream(counter_at(shared_, address, 0), process_, 0);
}

}  // namespace dpvi
