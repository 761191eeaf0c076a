#include <gtest/gtest.h>

#include "fovea/data/algorithmic.h"
#include "fovea/data/data_testing.h"
#include "fovea/data/extract_cmudict.h"
#include "fovea/data/extract_help.h"
#include "fovea/data/lines.h"
#include "fovea/data/split.h"

namespace fovea {
namespace {

using ExtractTest = FolderTest;

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

TEST_F(ExtractTest, CmudictKeepsAWordInOnePart) {
  std::string dictionary = "a.m. EY EH M\nable-bodied EY B AH L\n";
  for (char a = 'a'; a <= 'z'; ++a) {
    for (char b = 'a'; b <= 'z'; ++b) {
      dictionary += concat(a, b, " AH B\n", a, b, "(2) AH\n");
    }
  }
  write("root/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict", dictionary);
  extract_cmudict(folder_ / "root", folder_ / "out");
  const auto train = lines_of(folder_ / "out/cmudict.train.tsv");
  const auto test = lines_of(folder_ / "out/cmudict.test.tsv");
  EXPECT_EQ(train.size() + test.size(), 2 * 26 * 26);
  EXPECT_GT(test.size(), 20);
  EXPECT_LT(test.size(), 120);
  for (std::size_t i = 0; i < test.size(); i += 2) {
    const std::string word = test[i].substr(0, 2);
    EXPECT_EQ(test[i], word + "\tAH B");
    EXPECT_EQ(test[i + 1], word + "\tAH");
    EXPECT_EQ(part_of(word, {.dev = 0, .test = 0.05}), Part::test);
  }
}

TEST(Algorithmic, LinesFollowTheirRule) {
  const Draws draws = {.seed = 1};
  const AlgorithmicLine reversed = reverse_line(5, draws);
  EXPECT_EQ(reversed.source.size(), 9U);
  EXPECT_EQ(reversed.target, std::string(reversed.source.rbegin(), reversed.source.rend()));
  EXPECT_EQ(copy_line(5, draws).source, reversed.source);
  EXPECT_EQ(copy_line(5, draws).target, reversed.source);
  for (std::uint64_t site = 0; site < 200; ++site) {
    const std::uint32_t length = 3 + static_cast<std::uint32_t>(site) % 14;
    const AlgorithmicLine line = addition_line(length, {.seed = 2, .site = site});
    ASSERT_EQ(line.source.size(), 2 * length - 1);
    const auto number = [](std::string_view text) {
      std::uint64_t value = 0;
      for (auto c = text.rbegin(); c != text.rend(); ++c) {
        if (*c != ' ') value = 10 * value + static_cast<std::uint64_t>(*c - '0');
      }
      return value;
    };
    const std::size_t plus = line.source.find('+');
    EXPECT_EQ(number(line.source.substr(0, plus)) + number(line.source.substr(plus + 1)),
              number(line.target))
        << line.source;
  }
}

TEST_F(ExtractTest, AlgorithmicPartsHaveTheirLengths) {
  make_algorithmic("/", folder_);
  for (const char* task : {"copy", "reverse", "addition"}) {
    const auto train = lines_of(folder_ / concat(task, ".train.tsv"));
    const auto test = lines_of(folder_ / concat(task, ".test80.tsv"));
    EXPECT_EQ(train.size(), 40000U);
    EXPECT_EQ(test.size(), 500U);
    EXPECT_NE(train[0], train[1]);
    for (const std::string& line : test) EXPECT_EQ(line.find('\t'), 159U);
  }
}

TEST_F(ExtractTest, NamesThePackageThatIsMissing) {
  expect_says(message_of([&] { extract_cmudict(folder_, folder_ / "out"); }),
              {"cmudict-en-us.dict is not there", "apt-get install pocketsphinx-en-us"});
  expect_says(message_of([&] { extract_help(folder_, folder_ / "out"); }),
              {"apt-get install libreoffice-help-en-us libreoffice-help-de"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST(HelpPage, GivesParagraphsWithoutMarkup) {
  const std::string page =
      "<html><head><title>No</title><script>if (a<b) x = \"<p id='no'>\";</script></head><body>\n"
      "<p>without an id</p><!-- <p id=\"no\">no</p> -->\n"
      "<h1 id=\"hd_1\" dir=\"auto\"><a href=\"a>b\">File</a></h1>"
      "<p class=\"x\" id=\"par_1\">one &amp; <b>two</b>,\n three<br>four &lt;5&gt; &#228;&#x20ac; "
      "&bogus; & c</p>"
      "<div><p id=\"par_2\">left open <p id=\"par_3\"></p>";
  EXPECT_EQ(
      help_paragraphs(page),
      (std::vector<HelpParagraph>{{"hd_1", "File"},
                                  {"par_1", "one & two, three four <5> \u00e4\u20ac &bogus; & c"},
                                  {"par_2", "left open"},
                                  {"par_3", ""}}));
}

TEST(HelpPage, TakesTheDefaultOfASwitch) {
  const auto page = [](const std::string& alternatives) {
    const auto found = help_paragraphs("<p id=\"p\">Press <span class=\"switchinline\">" +
                                       alternatives + "</span>+<span>F</span> now</p>");
    return found.at(0).text;
  };
  const std::string mac = "<span id=\"MAC1\" class=\"MAC\"><span>Command</span></span>";
  const std::string other = "<span id=\"default1\"><span>Ctrl</span></span>";
  const std::string unix = "<span id=\"UNIX1\" class=\"UNIX\">Alt</span>";
  EXPECT_EQ(page(mac + other), "Press Ctrl+F now");
  EXPECT_EQ(page(other + mac), "Press Ctrl+F now");
  EXPECT_EQ(page(mac + unix + other), "Press Ctrl+F now");
  EXPECT_EQ(page(mac + unix), "Press Command+F now");
  EXPECT_EQ(page(""), "Press +F now");
}

TEST(HelpPage, BearsDamage) {
  const std::string page = "<p id=\"a\">some &amp; <span class=\"b\">text</span></p></span></p>";
  for (std::size_t size = 0; size < page.size(); ++size) {
    EXPECT_LE(help_paragraphs(page.substr(0, size)).size(), 1);
  }
}

TEST_F(ExtractTest, HelpLeavesOutIdsWithTwoTexts) {
  const std::string help = "root/usr/share/libreoffice/help/";
  write(help + "en-US/text/1.html",
        "<p id=\"1\">One of two</p><p id=\"1\">Two of two</p>"
        "<p id=\"2\">One and one</p><p id=\"2\">One and one</p>");
  write(help + "de/text/1.html",
        "<p id=\"1\">Zwei von zwei</p><p id=\"1\">Eins von zwei</p>"
        "<p id=\"2\">Eins und eins</p>");
  extract_help(folder_ / "root", folder_ / "out");
  EXPECT_EQ(lines_of(folder_ / "out/en-de.tsv.xz"),
            std::vector<std::string>{"One and one\tEins und eins"});
}

TEST_F(ExtractTest, HelpPairsParagraphsOfEqualIds) {
  const std::string help = "root/usr/share/libreoffice/help/";
  write(help + "en-US/text/a/1.html",
        "<p id=\"1\">Opens a file.</p><p id=\"2\">Two words</p><p id=\"3\">The same in both</p>"
        "<p id=\"4\">In English only here</p><p id=\"5\">Closes the window.</p>");
  write(help + "en-US/text/b.html", "<p id=\"1\">Opens a file.</p><p id=\"9\">A new one</p>");
  write(help + "en-US/text/c.html", "<p id=\"1\">A page in English only</p>");
  write(help + "de/text/a/1.html",
        "<p id=\"5\">Schlie\u00dft das Fenster.</p><p id=\"1\">\u00d6ffnet eine Datei.</p>"
        "<p id=\"2\">Zwei W\u00f6rter</p><p id=\"3\">The same in both</p>");
  write(help + "de/text/b.html", "<p id=\"1\">\u00d6ffnet eine Datei.</p><p id=\"9\">Neu</p>");
  extract_help(folder_ / "root", folder_ / "out");
  EXPECT_EQ(lines_of(folder_ / "out/en-de.tsv.xz"),
            (std::vector<std::string>{"Opens a file.\t\u00d6ffnet eine Datei.",
                                      "Closes the window.\tSchlie\u00dft das Fenster.",
                                      "A new one\tNeu"}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/en-fr.tsv.xz"));
}

}  // namespace
}  // namespace fovea
