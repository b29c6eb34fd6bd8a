#include <dpvi/report/netcdf/hdf5_file.hpp>

#include <algorithm>
#include <span>
#include <string_view>

#include <dpvi/report/netcdf/global_heap.hpp>
#include <dpvi/report/netcdf/little_endian.hpp>
#include <dpvi/report/netcdf/lookup3.hpp>

namespace dpvi {
namespace {

constexpr std::uint64_t kNowhere = ~std::uint64_t{0};  // the undefined address
constexpr std::size_t kSuperblockSize = 48;
constexpr std::size_t kAlignment = 8;

std::uint64_t aligned(std::uint64_t place) {
  return (place + kAlignment - 1) / kAlignment * kAlignment;
}

// Where everything is in the file. Sizes of headers do not depend on it.
struct Addresses {
  std::vector<std::uint64_t> headers;  // by object
  std::vector<std::uint64_t> values;   // by object
  std::uint64_t heap = 0;
  std::uint64_t end = 0;
};

// Types of header messages, section IV.A.2.
enum class Message : std::uint8_t {
  dataspace = 0x01,
  link_info = 0x02,
  datatype = 0x03,
  fill_value = 0x05,
  link = 0x06,
  layout = 0x08,
  group_info = 0x0A,
  attribute = 0x0C,
  attribute_info = 0x15,
};

// Header messages of one object. They remember the order in which attributes were added.
class Messages {
 public:
  void add(Message type, std::string_view body, std::uint16_t order = 0) {
    append_number(bytes_, static_cast<std::uint8_t>(type));
    append_number(bytes_, static_cast<std::uint16_t>(body.size()));
    append_number(bytes_, std::uint8_t{0});
    append_number(bytes_, order);
    bytes_ += body;
  }

  // Section IV.A.1.b: an object header of version 2.
  std::string header() const {
    constexpr std::uint8_t kFourByteSize = 0x02;
    constexpr std::uint8_t kAttributeOrder = 0x04;
    std::string header = "OHDR";
    append_number(header, std::uint8_t{2});
    append_number(header, static_cast<std::uint8_t>(kFourByteSize | kAttributeOrder));
    append_number(header, static_cast<std::uint32_t>(bytes_.size()));
    header += bytes_;
    append_number(header, lookup3(header));
    return header;
  }

 private:
  std::string bytes_;
};

// Links and attributes are in the header itself: no heap and no index exists for them.
void append_no_index(std::string& body) {
  append_number(body, kNowhere);
  append_number(body, kNowhere);
}

// Encodes the objects in their order. Entries of the heap are numbered in the order in which
// texts and attributes refer to them.
class ObjectEncoder {
 public:
  explicit ObjectEncoder(const Addresses& addresses)
      : addresses_(addresses), heap_(addresses.heap) {}

  std::string header(const Hdf5Object& object, std::size_t place) {
    Messages messages;
    values_.emplace_back();
    if (const auto* group = std::get_if<Hdf5Group>(&object.content)) {
      add_group(messages, *group);
    } else {
      const auto& dataset = std::get<Hdf5Dataset>(object.content);
      add_dataset(messages, dataset, addresses_.values[place]);
      values_.back() = dataset.texts.empty() ? dataset.values : encoded(dataset.texts);
    }
    add_attributes(messages, object.attributes);
    return messages.header();
  }

  std::string heap() const { return heap_.bytes(); }
  // The values of an object whose header was encoded.
  const std::string& values(std::size_t place) const { return values_[place]; }

 private:
  void add_group(Messages& messages, const Hdf5Group& group) const {
    constexpr std::uint8_t kOrderTracked = 0x01;
    std::string info;
    append_number(info, std::uint8_t{0});  // version
    append_number(info, kOrderTracked);
    append_number(info, std::uint64_t{group.links.size()});
    append_no_index(info);
    messages.add(Message::link_info, info);
    messages.add(Message::group_info, std::string(2, '\0'));
    for (std::size_t i = 0; i < group.links.size(); ++i) add_link(messages, group.links[i], i);
  }

  void add_link(Messages& messages, const Hdf5Link& link, std::size_t order) const {
    constexpr std::uint8_t kTwoByteLength = 0x01;
    constexpr std::uint8_t kHasOrder = 0x04;
    constexpr std::uint8_t kHasCharacterSet = 0x10;
    constexpr std::uint8_t kUtf8 = 1;
    std::string body;
    append_number(body, std::uint8_t{1});  // version
    append_number(body, static_cast<std::uint8_t>(kTwoByteLength | kHasOrder | kHasCharacterSet));
    append_number(body, std::uint64_t{order});
    append_number(body, kUtf8);
    append_number(body, static_cast<std::uint16_t>(link.name.size()));
    body += link.name;
    append_number(body, addresses_.headers[link.object.object]);
    messages.add(Message::link, body);
  }

  static void add_dataset(Messages& messages, const Hdf5Dataset& dataset, std::uint64_t address) {
    constexpr std::uint8_t kVersion = 3;
    constexpr std::uint8_t kContiguous = 1;
    constexpr std::uint8_t kLateAllocationNoValue = 0x0A;  // the default of HDF5
    messages.add(Message::dataspace, dataset.space);
    messages.add(Message::datatype, dataset.type);
    std::string fill;
    append_number(fill, kVersion);
    append_number(fill, kLateAllocationNoValue);
    messages.add(Message::fill_value, fill);
    std::string layout;
    append_number(layout, kVersion);
    append_number(layout, kContiguous);
    append_number(layout, dataset.values.empty() && dataset.texts.empty() ? kNowhere : address);
    append_number(layout, dataset.size);
    messages.add(Message::layout, layout);
  }

  void add_attributes(Messages& messages, const std::vector<Hdf5Attribute>& attributes) {
    constexpr std::uint8_t kOrderTracked = 0x01;
    std::string info;
    append_number(info, std::uint8_t{0});  // version
    append_number(info, kOrderTracked);
    append_number(info, static_cast<std::uint16_t>(attributes.size()));
    append_no_index(info);
    messages.add(Message::attribute_info, info);
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      messages.add(Message::attribute, attribute(attributes[i]), static_cast<std::uint16_t>(i));
    }
  }

  std::string attribute(const Hdf5Attribute& attribute) {
    constexpr std::uint8_t kVersion = 3;
    constexpr std::uint8_t kUtf8 = 1;
    std::string body;
    append_number(body, kVersion);
    append_number(body, std::uint8_t{0});
    append_number(body, static_cast<std::uint16_t>(attribute.name.size() + 1));
    append_number(body, static_cast<std::uint16_t>(attribute.type.size()));
    append_number(body, static_cast<std::uint16_t>(attribute.space.size()));
    append_number(body, kUtf8);
    body += attribute.name;
    body.push_back('\0');
    body += attribute.type;
    body += attribute.space;
    body += std::visit([this](const auto& value) { return encoded(value); }, attribute.value);
    return body;
  }

  static std::string encoded(const std::string& value) { return value; }

  std::string encoded(const ReferenceLists& references) {
    std::string bytes;
    for (const ObjectReference& reference : references) {
      std::string address;
      append_number(address, addresses_.headers[reference.object]);
      append_number(bytes, std::uint32_t{1});  // length of the list
      bytes += heap_.add(address);
    }
    return bytes;
  }

  std::string encoded(const std::vector<std::string>& texts) {
    constexpr std::size_t kIdentifier = 12;
    std::string bytes;
    for (const std::string& text : texts) {
      append_number(bytes, static_cast<std::uint32_t>(text.size()));
      bytes += text.empty() ? std::string(kIdentifier, '\0') : heap_.add(text);
    }
    return bytes;
  }

  std::string encoded(const DimensionUses& uses) const {
    std::string bytes;
    for (const DimensionUse& use : uses) {
      append_number(bytes, addresses_.headers[use.dataset.object]);
      append_number(bytes, use.index);
    }
    return bytes;
  }

  const Addresses& addresses_;
  GlobalHeap heap_;
  std::vector<std::string> values_;  // by object
};

// Order in the file: superblock, headers, heap, values.
Addresses place_all(const Hdf5File& file) {
  Addresses addresses;
  const std::vector<std::uint64_t> unknown(file.objects.size(), 0);
  const Addresses nowhere{unknown, unknown, 0, 0};
  ObjectEncoder encoder(nowhere);
  std::uint64_t next = kSuperblockSize;
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    addresses.headers.push_back(next);
    next = aligned(next + encoder.header(file.objects[i], i).size());
  }
  addresses.heap = next;
  next += encoder.heap().size();
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    addresses.values.push_back(next);
    next = aligned(next + encoder.values(i).size());
  }
  addresses.end = next;
  return addresses;
}

// Section II.A: a superblock of version 2.
std::string superblock(const Addresses& addresses) {
  constexpr std::uint8_t kAddressSize = 8;
  std::string bytes("\x89HDF\r\n\x1a\n", 8);
  append_number(bytes, std::uint8_t{2});
  append_number(bytes, kAddressSize);
  append_number(bytes, kAddressSize);  // size of lengths
  append_number(bytes, std::uint8_t{0});
  append_number(bytes, std::uint64_t{0});  // base address
  append_number(bytes, kNowhere);          // no extension
  append_number(bytes, addresses.end);
  append_number(bytes, addresses.headers.front());
  append_number(bytes, lookup3(bytes));
  return bytes;
}

}  // namespace

std::string hdf5_bytes(const Hdf5File& file) {
  const Addresses addresses = place_all(file);
  ObjectEncoder encoder(addresses);
  std::string bytes = superblock(addresses);
  bytes.reserve(addresses.end);
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    bytes.resize(addresses.headers[i], '\0');
    bytes += encoder.header(file.objects[i], i);
  }
  bytes.resize(addresses.heap, '\0');
  bytes += encoder.heap();
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    bytes.resize(addresses.values[i], '\0');
    bytes += encoder.values(i);
  }
  bytes.resize(addresses.end, '\0');
  return bytes;
}

}  // namespace dpvi
