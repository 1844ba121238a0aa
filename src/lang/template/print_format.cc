#include <algorithm>

#include "lang/template/print.h"
#include "lang/template/runes.h"

// The format strings of fmt.Printf.
namespace slipway::lang::go {
namespace {

using Kind = Value::Kind;

constexpr int kMaxNumber = 1'000'000;  // Go's limit for widths and precisions

bool too_large(std::int64_t number) { return number > kMaxNumber || number < -kMaxNumber; }

struct Parsed {
  int number = 0;
  bool found = false;
  std::size_t next = 0;
};

Parsed parse_count(std::string_view text, std::size_t at, std::size_t end) {
  if (at >= end) return {.next = end};
  Parsed out{.next = at};
  for (; out.next < end && text[out.next] >= '0' && text[out.next] <= '9'; ++out.next) {
    if (too_large(out.number)) return {.next = end};
    out.number = out.number * 10 + (text[out.next] - '0');
    out.found = true;
  }
  return out;
}

std::optional<std::int64_t> integer_in(const Value& value) {
  switch (value.kind()) {
    case Kind::kInt:
      return value.as<std::int64_t>();
    case Kind::kByte:
      return value.as<std::uint8_t>();
    case Kind::kUint: {
      const auto number = static_cast<std::int64_t>(value.as<std::uint64_t>());
      return number >= 0 ? std::optional(number) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

// Reads one format string and hands each verb with its argument to the printer.
class Printer::Directive {
 public:
  Directive(Printer& printer, std::string_view format, std::span<const Value> args)
      : printer_(printer), format_(format), args_(args) {}

  void run() {
    while (at_ < format_.size()) {
      good_index_ = true;
      const std::size_t percent = std::min(format_.find('%', at_), format_.size());
      printer_.out_.append(format_.substr(at_, percent - at_));
      at_ = percent + 1;
      if (percent < format_.size() && !verb()) break;
    }
    if (!reordered_ && next_ < args_.size()) extra();
  }

 private:
  Flags& flags() { return printer_.format_.flags; }
  char current() const { return at_ < format_.size() ? format_[at_] : '\0'; }

  // False when the format ended before a verb.
  bool verb() {
    flags() = {};
    read_flags();
    index();
    read_width();
    read_precision();
    if (!after_index_) index();
    if (at_ >= format_.size()) {
      printer_.out_.append("%!(NOVERB)");
      return false;
    }
    const Rune rune = decode_rune(format_.substr(at_));
    at_ += rune.width;
    apply(rune.value);
    return true;
  }

  void read_flags() {
    for (;; ++at_) {
      switch (current()) {
        case '#':
          flags().sharp = true;
          break;
        case '0':
          flags().zero = true;
          break;
        case '+':
          flags().plus = true;
          break;
        case '-':
          flags().minus = true;
          break;
        case ' ':
          flags().space = true;
          break;
        default:
          return;
      }
    }
  }

  // [3]: which argument comes next.
  void index() {
    after_index_ = false;
    if (current() != '[') return;
    reordered_ = true;
    const std::size_t close = format_.find(']', at_ + 1);
    if (format_.size() - at_ < 3 || close == format_.npos) {
      good_index_ = false;
      ++at_;
      return;
    }
    const Parsed number = parse_count(format_, at_ + 1, close);
    const bool well_formed = number.found && number.next == close;
    at_ = close + 1;
    after_index_ = well_formed;
    if (well_formed && number.number >= 1 &&
        static_cast<std::size_t>(number.number) <= args_.size())
      next_ = static_cast<std::size_t>(number.number) - 1;
    else
      good_index_ = false;
  }

  // The argument that a * takes.
  bool star(int& number) {
    number = 0;
    if (next_ >= args_.size()) return false;
    const auto value = integer_in(args_[next_++].unboxed());
    if (!value || too_large(*value)) return false;
    number = static_cast<int>(*value);
    return true;
  }

  void read_width() {
    if (current() == '*') {
      ++at_;
      flags().has_width = star(flags().width);
      if (!flags().has_width) printer_.out_.append("%!(BADWIDTH)");
      if (flags().width < 0) {
        flags().width = -flags().width;
        flags().minus = true;
        flags().zero = false;
      }
      after_index_ = false;
      return;
    }
    const Parsed width = parse_count(format_, at_, format_.size());
    flags().width = width.number;
    flags().has_width = width.found;
    at_ = width.next;
    if (after_index_ && width.found) good_index_ = false;
  }

  void read_precision() {
    if (at_ + 1 >= format_.size() || current() != '.') return;
    ++at_;
    if (after_index_) good_index_ = false;
    index();
    if (current() == '*') {
      ++at_;
      flags().has_precision = star(flags().precision);
      if (flags().precision < 0) {
        flags().precision = 0;
        flags().has_precision = false;
      }
      if (!flags().has_precision) printer_.out_.append("%!(BADPREC)");
      after_index_ = false;
      return;
    }
    const Parsed precision = parse_count(format_, at_, format_.size());
    flags().precision = precision.number;
    flags().has_precision = true;
    at_ = precision.next;
  }

  void apply(char32_t verb) {
    if (verb == '%') return printer_.out_.append("%");
    if (!good_index_) return complain(verb, "(BADINDEX)");
    if (next_ >= args_.size()) return complain(verb, "(MISSING)");
    if (verb == 'v' || verb == 'w') {
      flags().sharp_v = std::exchange(flags().sharp, false);
      flags().plus_v = std::exchange(flags().plus, false);
    }
    printer_.argument(args_[next_++], verb);
  }

  void complain(char32_t verb, std::string_view what) {
    printer_.out_.append("%!");
    printer_.rune(verb);
    printer_.out_.append(what);
  }

  void extra() {
    flags() = {};
    printer_.out_.append("%!(EXTRA ");
    for (std::size_t i = next_; i < args_.size(); ++i) {
      if (i > next_) printer_.out_.append(", ");
      const Value arg = args_[i].unboxed();
      if (!arg.valid()) {
        printer_.out_.append("<nil>");
        continue;
      }
      printer_.out_.append(type_name(arg));
      printer_.out_.append("=");
      printer_.argument(arg, 'v');
    }
    printer_.out_.append(")");
  }

  Printer& printer_;
  std::string_view format_;
  std::span<const Value> args_;
  std::size_t at_ = 0;
  std::size_t next_ = 0;  // argument
  bool good_index_ = true;
  bool after_index_ = false;
  bool reordered_ = false;
};

void Printer::print_format(std::string_view format, std::span<const Value> args) {
  Directive(*this, format, args).run();
}

}  // namespace slipway::lang::go
