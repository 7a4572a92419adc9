// function_name.cpp -- names of functions as people read them: without argument lists and template arguments.
#include "base/text/function_name.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "base/text/mangled_name.hpp"

namespace tarry {
namespace {

constexpr unsigned kMostDeclarators = 4;  // "int (*(*f())())()" has two
constexpr unsigned kAnyDepth = ~0u;

// Longer ones before those that they begin with.
constexpr std::string_view kOperators[] = {
    "()", "[]", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||", "++", "--",  "+=",  "-=",  "*=",  "/=", "%=", "^=", "&=", "|=", "->", "<",
    ">",  "+",  "-",   "*",   "/",   "%",   "^",  "&",  "|",  "~",  "!",  "=",  ","};
constexpr std::string_view kOperatorWords[] = {" new[]", " new", " delete[]", " delete", " co_await"};
constexpr std::string_view kQualifiers[] = {" const", " volatile", " restrict", " noexcept", " &&", " &"};
constexpr std::string_view kPrefixes[] = {"non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to "};
constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kOperator = "operator";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Reads a name once, from left to right.
class NameReader {
 public:
  NameReader(std::string_view name, NameDetail detail) : name_(name), detail_(detail) {}

  // Nothing if it is no name of a function.
  std::optional<std::string> read(unsigned declarators = 0);

 private:
  enum class Group { kText, kTemplate, kLambda, kArguments };
  struct Open {
    char closing;
    Group group;
    bool is_hidden;
  };

  bool read_character();
  bool read_operator();
  void read_conversion();
  bool open_bracket();
  bool open_angle();
  bool open_round();
  bool open_square();
  bool close();
  bool end_arguments();
  bool skip_group();
  std::string_view declarator() const;

  std::string_view rest() const { return name_.substr(at_); }
  bool is_outside() const { return open_.empty(); }
  char before() const { return at_ > 0 ? name_[at_ - 1] : '\0'; }
  bool begins_part() const { return at_ == 0 || before() == ':' || before() == '.'; }
  bool follows_name() const;
  void put(std::string_view text) {
    if (hidden_ == 0) out_ += text;
    at_ += text.size();
  }
  void open(char closing, Group group, bool is_hidden) {
    open_.push_back({closing, group, is_hidden});
    hidden_ += is_hidden;
    templates_ += group == Group::kTemplate;
    put(rest().substr(0, 1));
  }

  std::string_view name_;
  NameDetail detail_;
  std::string out_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
  std::size_t hidden_ = 0, templates_ = 0;  // of the open groups
  std::size_t name_begin_ = 0;              // in out_: behind the result type
  std::size_t operator_end_ = std::string::npos;
  bool is_conversion_ = false, ends_with_arguments_ = false;
};

std::optional<std::string> NameReader::read(unsigned declarators) {
  for (const std::string_view prefix : kPrefixes)
    if (name_.starts_with(prefix)) {
      put(prefix);
      name_begin_ = out_.size();
    }
  const std::size_t first = name_begin_;
  while (at_ < name_.size()) {
    if (const std::string_view inner = declarator(); !inner.empty()) {
      if (declarators == kMostDeclarators) return std::nullopt;
      return NameReader(inner, detail_).read(declarators + 1);
    }
    if (!read_character()) return std::nullopt;
  }
  if (!is_outside()) return std::nullopt;
  if (ends_with_arguments_) out_.erase(first, name_begin_ - first);
  if (out_.empty() || out_.ends_with("::")) return std::nullopt;
  return std::move(out_);
}

// False if this cannot be in the name of a function.
bool NameReader::read_character() {
  const char c = name_[at_];
  ends_with_arguments_ = false;
  if (c == 'o' && read_operator()) return true;
  switch (c) {
    case '<':
    case '(':
    case '[':
    case '{': return open_bracket();
    case '>':
    case ')':
    case ']':
    case '}': return close();
    case ' ':
      if (rest().starts_with(" [clone ") || rest().starts_with(" [with ")) {
        ++at_;
        return skip_group();
      }
      put(" ");
      if (is_outside() && !is_conversion_) name_begin_ = out_.size();
      return true;
    default: put(rest().substr(0, 1)); return true;
  }
}

bool NameReader::read_operator() {
  if (!rest().starts_with(kOperator) || is_identifier(before())) return false;
  const std::string_view behind = rest().substr(kOperator.size());
  if (behind.empty() || is_identifier(behind[0])) return false;
  put(kOperator);
  if (behind.starts_with("\"\"")) {
    put("\"\"");
    if (rest().starts_with(" ")) ++at_;
    while (at_ < name_.size() && is_identifier(name_[at_])) put(rest().substr(0, 1));
  } else if (behind[0] == ' ') {
    read_conversion();
  } else {
    const auto symbol = std::ranges::find_if(kOperators, [&](auto text) { return behind.starts_with(text); });
    if (symbol == std::end(kOperators)) return true;
    put(*symbol);
    if (rest().starts_with(" <")) ++at_;
  }
  operator_end_ = at_;
  return true;
}

// "operator new", or "operator " and a type.
void NameReader::read_conversion() {
  const auto word = std::ranges::find_if(kOperatorWords, [&](auto text) {
    return rest().starts_with(text) && (text.size() == rest().size() || !is_identifier(rest()[text.size()]));
  });
  if (word != std::end(kOperatorWords)) return put(*word);
  put(" ");
  is_conversion_ = is_outside();
}

bool NameReader::follows_name() const {
  return is_identifier(before()) || before() == '>' || before() == ']' || before() == '}' || before() == '\'' ||
         operator_end_ == at_;
}

bool NameReader::open_bracket() {
  switch (name_[at_]) {
    case '<': return open_angle();
    case '(': return open_round();
    case '[': return open_square();
    default: open('}', rest().starts_with("{lambda(") ? Group::kLambda : Group::kText, false); return true;
  }
}

// Otherwise than those of a template, "<" may begin a name ("<module>") or be a character like any other.
bool NameReader::open_angle() {
  const bool is_template = is_identifier(before()) || before() == ']' || operator_end_ == at_;
  if (is_template) {
    const bool is_hidden = templates_ >= detail_.template_depth;
    if (!is_hidden && out_.ends_with('<') && hidden_ == 0) out_ += ' ';
    open('>', Group::kTemplate, is_hidden);
  } else if (begins_part()) {
    open('>', Group::kText, false);
  } else {
    put("<");
  }
  return true;
}

bool NameReader::open_round() {
  if (rest().starts_with(kAnonymous)) {
    put(kAnonymous);
    return true;
  }
  const bool is_type = name_.substr(0, at_).ends_with("decltype");
  const bool is_call = is_outside() && !is_type && (is_conversion_ || follows_name());
  const bool is_lambda = !is_outside() && open_.back().group == Group::kLambda;
  if (is_call) is_conversion_ = false;
  open(')', is_call ? Group::kArguments : Group::kText, (is_call || is_lambda) && !detail_.has_arguments);
  return true;
}

bool NameReader::open_square() {
  if (rest().starts_with("[abi:")) return skip_group();
  open(']', Group::kText, false);
  return true;
}

bool NameReader::close() {
  const char c = name_[at_];
  const bool is_open = !is_outside() && open_.back().closing == c;
  if (c == '>' && (!is_open || before() == '-')) {  // "->", and comparisons
    put(">");
    return true;
  }
  if (!is_open) return false;
  if (c == '>' && hidden_ == 0 && out_.ends_with(' ') && !out_.ends_with("> ")) out_.pop_back();  // "A<B<int> >"
  put(rest().substr(0, 1));
  const Open closed = open_.back();
  open_.pop_back();
  hidden_ -= closed.is_hidden;
  templates_ -= closed.group == Group::kTemplate;
  if (closed.group == Group::kArguments) return end_arguments();
  return closed.group != Group::kTemplate || at_ == name_.size() || !is_identifier(name_[at_]);
}

// After an argument list come qualifiers, and then the end, the name of what is inside the function, or a suffix.
bool NameReader::end_arguments() {
  const auto follows = [&](std::string_view word) { return rest().starts_with(word); };
  for (auto word = std::ranges::find_if(kQualifiers, follows); word != std::end(kQualifiers);
       word = std::ranges::find_if(kQualifiers, follows)) {
    if (detail_.has_arguments) put(*word);
    else at_ += word->size();
  }
  ends_with_arguments_ = true;
  if (at_ == name_.size() || rest().starts_with("::") || rest().starts_with("[abi:")) return true;
  if (!rest().starts_with(" [") && !rest().starts_with(" (.")) return false;
  ++at_;
  return skip_group() && at_ == name_.size();
}

// Up to the bracket that closes the one here; "[clone .isra.0] [clone .cold]" is one group.
bool NameReader::skip_group() {
  do {
    const std::size_t end = name_.find(name_[at_] == '(' ? ')' : ']', at_);
    if (end == name_.npos) return false;
    at_ = end + 1;
    if (rest().starts_with(" [clone ")) ++at_;
    else break;
  } while (true);
  return true;
}

// Of "void (*f(int))(char)", where a function returns a pointer to another: "f(int)". Else empty.
std::string_view NameReader::declarator() const {
  if (!is_outside() || is_conversion_ || name_[at_] != '(' || (at_ > 0 && before() != ' ')) return {};
  const std::size_t first = name_.find_first_not_of("*&", at_ + 1);
  if (first == at_ + 1 || first == name_.npos) return {};
  std::size_t depth = 0;
  for (std::size_t end = at_; end < name_.size(); ++end) {
    depth += name_[end] == '(';
    depth -= name_[end] == ')';
    if (depth > 0) continue;
    const bool is_function = end + 1 < name_.size() && (name_[end + 1] == '(' || name_[end + 1] == '[');
    return is_function ? name_.substr(first, end - first) : std::string_view();
  }
  return {};
}

// Of "f.isra.0.cold": "f". Only suffixes with a number are taken for a compiler's, and what follows these.
std::string_view without_suffixes(std::string_view name) {
  constexpr std::string_view kSuffixes[] = {".isra.", ".constprop.", ".part.", ".lto_priv.", ".cold."};
  std::size_t end = name.npos;
  for (const std::string_view suffix : kSuffixes)
    if (const std::size_t at = name.find(suffix);
        at != name.npos && at > 0 && at + suffix.size() < name.size() && is_digit(name[at + suffix.size()]))
      end = std::min(end, at);
  if (end == name.npos) return name;
  const auto is_part = [](char c) { return is_identifier(c) || c == '.'; };
  return std::ranges::all_of(name.substr(end), is_part) ? name.substr(0, end) : name;
}

// Whether "(phase 1)" of a name is words, not types.
bool holds_prose(std::string_view name) {
  for (std::size_t at = name.find(' '); at != name.npos; at = name.find(' ', at + 1))
    if (at > 0 && at + 1 < name.size() && is_identifier(name[at - 1]) && is_digit(name[at + 1])) return true;
  return false;
}

// Groups of names: [first index of each]; `names` may repeat.
using Groups = std::unordered_map<std::string_view, std::vector<std::size_t>>;

Groups group(const std::vector<std::string>& names) {
  Groups groups;
  for (std::size_t i = 0; i < names.size(); ++i) groups[names[i]].push_back(i);
  return groups;
}

// The first detail that tells all of `members` apart; their whole names if none does.
void tell_apart(const std::vector<const std::string*>& whole, const std::vector<std::size_t>& members,
                std::vector<std::string>& shown) {
  constexpr NameDetail kDetails[] = {{false, 1}, {true, 0}, {true, 1}, {false, kAnyDepth}, {true, kAnyDepth}};
  std::vector<std::string> forms(members.size());
  for (const NameDetail detail : kDetails) {
    for (std::size_t i = 0; i < members.size(); ++i) forms[i] = function_name(*whole[members[i]], detail);
    if (group(forms).size() < members.size()) continue;
    for (std::size_t i = 0; i < members.size(); ++i) shown[members[i]] = forms[i];
    return;
  }
  for (const std::size_t member : members) shown[member] = *whole[member];
}

// Recorders of accelerators write names of kernels as the linker has them. Each back reference may double a name, so
// those with more than real kernels have are left as they are.
std::optional<std::string> readable_kernel(std::string_view name) {
  constexpr std::ptrdiff_t kMostReferences = 24;
  if (!name.starts_with("_Z")) return std::nullopt;
  if (std::ranges::count_if(name, [](char c) { return c == 'S' || c == 'T'; }) > kMostReferences) return std::nullopt;
  return demangled(std::string(name));
}

}  // namespace

std::string function_name(std::string_view name, NameDetail detail) {
  if (const std::optional<std::string> readable = readable_kernel(name)) return function_name(*readable, detail);
  if (holds_prose(name)) return std::string(name);
  const std::string_view stem = without_suffixes(name);
  if (stem.find_first_of("<([{ ") == stem.npos) return std::string(stem);
  if (auto read = NameReader(stem, detail).read()) return std::move(*read);
  return std::string(name);
}

std::vector<std::string> short_names(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> known;  // to its index among different names
  std::vector<const std::string*> whole;
  for (const std::string& name : names)
    if (known.try_emplace(name, whole.size()).second) whole.push_back(&name);
  std::vector<std::string> shown;
  for (const std::string* name : whole) shown.push_back(function_name(*name));
  const std::vector<std::string> shortest = shown;
  for (const auto& [name, members] : group(shortest))
    if (members.size() > 1) tell_apart(whole, members, shown);
  // A longer form may be what another name is.
  const std::vector<std::string> longer = shown;
  bool is_unique = true;
  for (const auto& [name, members] : group(longer))
    if (members.size() > 1) {
      is_unique = false;
      for (const std::size_t member : members) shown[member] = *whole[member];
    }
  if (!is_unique && group(shown).size() < shown.size())
    for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = *whole[i];
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(shown[known.at(name)]);
  return all;
}

}  // namespace tarry
