"""Words for types, in the notations of tables and signatures."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts.contract import JsonValue

Schema = dict[str, JsonValue]

_MEANINGS: tuple[tuple[str, Schema], ...] = (
    ("string str text char varchar strings path paths filepath filename file directory dir pathlike markdown html "
     "regex glob hex token jwt ulid slug id identifier anystr secretstr purepath zeichenkette "
     "zeichenfolge cadena texto chaîne texte stringa testo sträng streng tekst merkkijono "
     "tekenreeks ciąg řetězec szöveg metin 字符串 文本 文字列 строка", {"type": "string"}),
    ("integer int i8 i16 i32 i64 u8 u16 u32 u64 usize long int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 "
     "integers ints bigint ganzzahl entero entier heltal heltall kokonaisluku "
     "inteiro intero 整数 整型 целое",
     {"type": "integer"}),
    ("number float double decimal numeric numbers floats float32 float64 f32 f64 zahl "
     "gleitkommazahl tal tall getal luku liczba číslo szám "
     "número numero nombre décimal decimale 数字 数值 浮点数 数値 число", {"type": "number"}),
    ("boolean bool flag booleans bools wahrheitswert boolesk boolsk totuusarvo booleano booléen "
     "booleana 布尔 布尔值 真偽値", {"type": "boolean"}),
    ("null none nil void nonetype", {"type": "null"}),
    ("object dict map mapping dictionary json record struct objects dicts hash hashmap records mappings maps "
     "dictionaries typeddict objekt objeto objet oggetto 对象 オブジェクト объект", {"type": "object"}),
    ("array list tuple sequence iterable arrays lists collection tuples liste lista arreglo tableau "
     "数组 列表 配列 массив", {"type": "array"}),
    ("set frozenset", {"type": "array", "uniqueItems": True}),
    ("any mixed unknown jsonvalue anything callable function callback iterator generator asynciterator asyncgenerator "
     "ndarray dataframe tensor duration timedelta [datatype]", {}),
    ("datetime date-time timestamp iso8601 iso-8601 datetimes timestamps", {"type": "string", "format": "date-time"}),
    ("date dates yyyy-mm-dd", {"type": "string", "format": "date"}),
    ("time", {"type": "string", "format": "time"}),
    ("url uri urls uris httpurl anyurl", {"type": "string", "format": "uri"}),
    ("uuid guid uuids uuid4", {"type": "string", "format": "uuid"}),
    ("email emails emailstr e-mail e-mails", {"type": "string", "format": "email"}),
    ("bytes base64 bytearray binary", {"type": "string", "contentEncoding": "base64"}),
)  # fmt: skip
SIMPLE: Mapping[str, Schema] = {word: schema for words, schema in _MEANINGS for word in words.split()}
LISTS = ("list", "array", "sequence", "iterable", "tuple", "set", "frozenset", "collection", "deque", "iterator",
          "generator", "asynciterator", "asynciterable", "abstractset", "mutablesequence")  # fmt: skip
MAPS = ("dict", "map", "mapping", "record", "object", "dictionary", "defaultdict", "ordereddict", "mutablemapping",
         "counter", "hash")  # fmt: skip
OF_PYTHON = frozenset(("callable", "type", "coroutine", "awaitable", "ndarray", "generic", "partial", "coroutinetype"))
THINGS = frozenset(
    ("paths", "names", "ids", "identifiers", "tokens", "words", "lines", "tags", "keys", "labels", "filenames", "files",
     "urls", "terms", "messages", "patterns", "hashes", "codes", "symbols")
)  # fmt: skip
