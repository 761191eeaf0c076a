/// The files of the data sets of the catalogue: name, SHA-256, bytes.
#pragma once

#include <array>

#include "fovea/data/catalogue.h"

namespace fovea::files {

constexpr std::array<DataFile, 9> multi30k = {{
    {"train.en.gz", "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f", 568929},
    {"train.de.gz", "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6", 637044},
    {"train.fr.gz", "622e75069e9f4c577425c4f277116ce66e63a2401c0a2312d90073cb12379a3c", 604242},
    {"val.en.gz", "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28", 21650},
    {"val.de.gz", "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a", 24681},
    {"val.fr.gz", "ca3106f1a72390591d25f6c45cb4cd39dec4cd3f123e099748a3ce5256c160e9", 23001},
    {"test_2016_flickr.en.gz", "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
     21077},
    {"test_2016_flickr.de.gz", "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
     22890},
    {"test_2016_flickr.fr.gz", "6d326e188d259fb1d04ac19eae3af956559b3a0b93d7635e56c90987c40c8b90",
     22310},
}};

constexpr std::array<DataFile, 2> g2p_cmudict = {{
    {"g014b2b.train.gz", "fcf83470debbea5c09e0cfa1bd16d5eb3fee2c11552a035751b9e4947fc649cc",
     698254},
    {"g014b2b.test.gz", "cc2e7aabd43a5f3d4b8f66a9165d129c36982a95720287817cbbc97872b7fe46", 100663},
}};

constexpr std::array<DataFile, 1> anki_en_fr = {{
    {"fra.txt.xz", "62a66fa85205362f1043ec23087cdaca244e67c5fb82354c7e4d2d25d04ac664", 2216096},
}};

constexpr std::array<DataFile, 1> anki_en_zh = {{
    {"cmn.txt.gz", "135bb10b227837a5c4ebc765bcccfc21a3a812db5ef919fa4c6c18cf161c38b3", 1237733},
}};

constexpr std::array<DataFile, 3> libreoffice_help = {{
    {"en-de.tsv.xz", "", 0},
    {"en-fr.tsv.xz", "", 0},
    {"en-zh-cn.tsv.xz", "", 0},
}};

constexpr std::array<DataFile, 2> cmudict = {{
    {"cmudict.train.tsv", "", 0},
    {"cmudict.test.tsv", "", 0},
}};

constexpr std::array<DataFile, 3> ptb = {{
    {"ptb.train.txt", "fcea919f6cf83f35d4d00c6cbf08040d13d4155226340912e2fef9c9c4102cbf", 5101618},
    {"ptb.valid.txt", "c9fe6985fe0d4ccb578183407d7668fc6066c20700cb4cf87d8ff1cc34df1bf2", 399782},
    {"ptb.test.txt", "dd65dff31e70846b2a6030a87482edcd5d199130cdcfa1f3dccbb033728deee0", 449945},
}};

constexpr std::array<DataFile, 1> tinyshakespeare = {{
    {"input.txt", "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed", 1115394},
}};

constexpr std::array<DataFile, 3> conll2003 = {{
    {"eng.train.gz", "042759a7f725d1b3349b083f473bba5990b8e814c71c63b771e6d5b97191d975", 611383},
    {"eng.testa.gz", "06b824b163e1d2ce8dccf9dc5e6acb40d1f4d337f98fcb6ee9178687e829d966", 153371},
    {"eng.testb.gz", "c9e7166a9dbf1808ace69ab33af6b1ea9aea22a5ce0516c2ce2a843f877b896a", 137345},
}};

constexpr std::array<DataFile, 9> atis = {{
    {"train/seq.in", "3a670980841b21ab39088b2595efc17d487cdc45769c075a3e5f9458bba28c7f", 289848},
    {"train/seq.out", "14c7131bd66562f797dbd7189bc7358f0cf354c6afb0785a9ab973c35b58f34c", 415557},
    {"train/label", "d0a771547665eecbdf9f96ea015ef07d1f6ee9f063e861020dafabb3c2a04377", 57831},
    {"valid/seq.in", "c7435b96e7948393608c34819628e863c5338f11ca68e8f896d2cc041d8e17f8", 32761},
    {"valid/seq.out", "83ccff3e36f83a993f8e5b5b82adf3256076f234abda4d784051381d7ac76922", 47763},
    {"valid/label", "06957cfe6fdffac84f8280bc3a1f8ca85c85631b363817aa4543aac611f8addf", 6518},
    {"test/seq.in", "4b2119fc59c37f9398c6605db435d4f467505009e6ee3e5af04fed09f39dc397", 52122},
    {"test/seq.out", "a4690d6bceadc06876d1ff99bc401744aa981cb321e598ae12a3859d7be53254", 81238},
    {"test/label", "ce4bfe6590d9498e1078f30b4137d3e8b3e94277b444b26360c0bf2e9e282761", 11634},
}};

constexpr std::array<DataFile, 9> snips = {{
    {"train/seq.in", "04ad1e3f2121d83c6478f9a4b17d2dbdc21d06d6127f73cb7af835ed733f9855", 617079},
    {"train/seq.out", "fd5f2121d8055827e5d6b3d3bac30f3d7e94e82a5d437751960cbdd9e1b4f6d3", 950926},
    {"train/label", "bfd7df6cf9dd76c5da5d8b61bc85f90386197bdd3d7510c1d324c051537b962f", 184532},
    {"valid/seq.in", "64e0f6d8ad8aab3a3828164d7d53731a0993d3ca1aed437ceaca6d3d568d410e", 33629},
    {"valid/seq.out", "712e6d34feb8d52d208b820a5f8bae6e6ff990f08374507dfde22de389088319", 50626},
    {"valid/label", "9c1dd041216f647bcfca838aaf1a48eb5781e4404256d31ff07cd38a5436c52f", 9900},
    {"test/seq.in", "c1e341173fcea2951a8ca371956a6f81c76de87b9583c62eb87edd6158fa3a7c", 33121},
    {"test/seq.out", "58c07c9097d5e1f78889765c2a535a160f6455b90b3142055c8051847afcca47", 50918},
    {"test/label", "37a26da3ad079bb41c42c85a3a8f827eb47efec4c5917ce5d08f4b2736e4f830", 10120},
}};

constexpr std::array<DataFile, 6> sst = {{
    {"stsa.binary.train.gz", "9f406917378e17ebf740ac72420e1c630b9944ced6f6865a003975e91abdac9b",
     287361},
    {"stsa.binary.dev.gz", "6cb4391ea19153ebc015f732d34baf64ee841e4bb3dd85c57ac596ad231acd74",
     37976},
    {"stsa.binary.test.gz", "80a47c8e680487a10bbb678574170e50a278a5fb076419671b54cde070c362af",
     76836},
    {"stsa.fine.train.gz", "99b49f85736fcd8d173c834477fdb346a6450e46f9a582ea82bc36a78e9b24af",
     354085},
    {"stsa.fine.dev.gz", "62aa55c593d5c9807fae37e22d2aa0cfb8a8de303b37a5a5387e26757cfd5d7d", 47278},
    {"stsa.fine.test.gz", "5c0bcaef8db98a2e037d398addb9773a8e458e4d3722a1e8495ab45dd2f0ad30",
     93075},
}};

// As its author packs it (.tar.gz) or packed anew.
constexpr std::array<DataFile, 1> reuters21578 = {{{"reuters21578.tar", "", 0}}};

constexpr std::array<DataFile, 3> three_tables = {{
    {"train.tsv", "", 0},
    {"dev.tsv", "", 0},
    {"test.tsv", "", 0},
}};

constexpr std::array<DataFile, 2> trec = {{
    {"TREC.train.all.gz", "cce2c84819f4d0a3e1491bcd9e50513e34e06d8c3fcb08f6ca9925bff4dcd711",
     109470},
    {"TREC.test.all.gz", "cd57b53bc4cc1d29f0be85299e604b7866422823231c3b6330c713bff5d6921c", 7273},
}};

constexpr std::array<DataFile, 1> movie_reviews = {{
    {"rt-polarity.all.gz", "32f48374f459e5fa6cd80683f45c44f0d9e47b83a281786d4f1f9319ef826ce4",
     485883},
}};

constexpr std::array<DataFile, 2> imdb = {{
    {"train.tsv.xz", "a272fd8aebcf498094c0a8ed7204bd66263536a5bb5a73ac7deb0e78a1f9df9e", 9019556},
    {"test.tsv.xz", "abaacd0ae08454ffff12fd9871c2a131f7dbdf43de4dec281f24164c64d0585b", 8783128},
}};

constexpr std::array<DataFile, 3> sick = {{
    {"train.txt.gz", "54f1d30b144fcecff06285033a4452271aeb297e0a9ababea90f10fdfb53d836", 66034},
    {"dev.txt.gz", "c3f810bb8c0d62ea71beeb88d8338014e825db59eaa15eb24b3737892ddde08e", 12657},
    {"test.txt.gz", "1a5d1ac997184f451696ed4306074907acde69a89536e6f29736e1b0e4788fc6", 70410},
}};

constexpr std::array<DataFile, 2> snli_devtest = {{
    {"dev.txt.gz", "8276d7a2971b66f0e9443572c366959e91d0ba4012adf70db6165415f90ce8b3", 215259},
    {"test.txt.gz", "72e7e29add41228ee5f2fc083e08c3fb23d99334de0a3d84f399c5c16dd3c85a", 215089},
}};

constexpr std::array<DataFile, 3> wikiqa = {{
    {"train.txt.xz", "f9d2cb34a642b6c620e3c5a95ecf404c47335a75bb8fa081acf1ce6abdb114ff", 842212},
    {"dev.txt.xz", "68aa2aa208f3a9005d0b77c32292ebe67e8d74873378cd49177be656fe891fa3", 130500},
    {"test.txt.xz", "7c4dea5245f18745633fbcfa96bf992bf6b04f034d911c35a32c7c2379eb120a", 277576},
}};

constexpr std::array<DataFile, 1> subjqa = {{
    {"subjqa_4domains.tar.xz", "fbcefcf35f31c250f3591f31c1e45ce1ecb537919da514cfc2f16e598b81c89c",
     2481200},
}};

constexpr std::array<DataFile, 1> chnsenticorp = {{
    {"chnsenticorp.zip", "79218af1c3efdfd3223569440736eac207ab6b19babd2cd73b7ffc04250700ba",
     1756782},
}};

constexpr std::array<DataFile, 3> dailydialog = {{
    {"train.zip", "6191257f8250da0e045bfd1d017645e15b2358df975ec4c5c431a5a1f99662a4", 2059812},
    {"validation.zip", "f068cf7526a56ab5f26e99b74ce9edbc2766f7b060a3c6cef035920b0dd28153", 191273},
    {"test.zip", "5f9526a5ce4b8af4ca237aa3ff38cbf03becbc596c70b0974d7f5f9af2ea0615", 188867},
}};

// Parts of up to 40 symbols, and of 80.
constexpr std::array<DataFile, 15> algorithmic = {{
    {"copy.train.tsv", "", 0},
    {"copy.dev.tsv", "", 0},
    {"copy.dev80.tsv", "", 0},
    {"copy.test.tsv", "", 0},
    {"copy.test80.tsv", "", 0},
    {"reverse.train.tsv", "", 0},
    {"reverse.dev.tsv", "", 0},
    {"reverse.dev80.tsv", "", 0},
    {"reverse.test.tsv", "", 0},
    {"reverse.test80.tsv", "", 0},
    {"addition.train.tsv", "", 0},
    {"addition.dev.tsv", "", 0},
    {"addition.dev80.tsv", "", 0},
    {"addition.test.tsv", "", 0},
    {"addition.test80.tsv", "", 0},
}};

}  // namespace fovea::files
