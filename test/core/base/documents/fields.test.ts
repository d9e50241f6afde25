// Classes of fields: a field without a class does not compile, and erasing works the same in memory and in the database.
import { describe, expect, test } from "vitest";
import {
  counted,
  erasing,
  goneFields,
  holdsMore,
  joinFields,
  keptFields,
  owner,
  shownFields,
  splitFields,
} from "../../../../core/base/documents/fields.ts";
import { useTestDatabase } from "../../../support/database.ts";

type Line = { name: string; price: number; note?: string };
type Bill = {
  _id: string;
  address: string;
  phone?: string;
  secret?: string;
  total: number;
  at: Date;
  lines: Line[];
  shop: { id: string; clerk: string | null } | null;
  tip?: { amount: number };
  tags: string[];
};

const LINE_FIELDS = keptFields<Line>()({ name: { owner: "" }, price: "counted", note: "owner" });
const SHOP_FIELDS = { id: "counted", clerk: { hidden: null } } as const;
const BILL_FIELDS = keptFields<Bill>()({
  ...counted("_id", "total", "at", "tags"),
  address: { owner: "" },
  phone: "owner",
  secret: "hidden",
  lines: { each: LINE_FIELDS },
  shop: { within: SHOP_FIELDS },
  tip: { within: counted("amount") },
});

test("the classes of a document do not compile for a field without a class, or with one that does not fit", () => {
  const billFields = keptFields<Bill>();
  const { phone: _phone, ...withoutPhone } = BILL_FIELDS;
  // @ts-expect-error A field has no class.
  const missing = billFields(withoutPhone);
  const { note: _note, ...lineWithoutNote } = LINE_FIELDS;
  // @ts-expect-error A field of a document in a list has no class.
  const inList = billFields({ ...BILL_FIELDS, lines: { each: lineWithoutNote } });
  // @ts-expect-error A field of a nested document has no class.
  const within = billFields({ ...BILL_FIELDS, shop: { within: counted("id") } });
  // @ts-expect-error A nested document cannot be counted whole, because a later field of it would be kept.
  const whole = billFields({ ...BILL_FIELDS, lines: "counted" });
  // @ts-expect-error The field is required, and nothing replaces it.
  const empty = billFields({ ...BILL_FIELDS, address: "owner" });
  // @ts-expect-error The replacement does not have the field's type.
  const wrong = billFields({ ...BILL_FIELDS, address: { owner: 7 } });
  // @ts-expect-error There is no such field.
  const unknown = billFields({ ...BILL_FIELDS, ...owner("fax") });
  // @ts-expect-error A document that is deleted with its account has no counted fields.
  const gone = goneFields<Line>()({ ...owner("name", "note"), ...counted("price") });
  expect([missing, inList, within, whole, empty, wrong, unknown, gone]).toHaveLength(8);
});

const NEWER = { newer: "words" };
const BILLS: Record<string, Bill> = {
  full: {
    _id: "full",
    address: "words",
    phone: "words",
    secret: "words",
    total: 3,
    at: new Date(5),
    lines: [{ name: "words", price: 1, note: "words", ...NEWER } as Line, { name: "", price: 2 }],
    shop: { id: "s", clerk: "words", ...NEWER } as Bill["shop"],
    tip: { amount: 1 },
    tags: ["a"],
    ...NEWER,
  },
  bare: { _id: "bare", address: "", total: 0, at: new Date(6), lines: [], shop: null, tags: [] },
};

describe("the fields of a document", () => {
  test.each(Object.values(BILLS))("$_id: the counted part and the erased part make up the whole", (bill) => {
    const { counted, rest } = splitFields(bill, BILL_FIELDS);
    expect(JSON.stringify(counted)).not.toContain("words");
    expect(joinFields(counted, rest, BILL_FIELDS)).toEqual(bill);
  });

  test("erased fields are empty or absent, and fields of a newer release are removed", () => {
    const full = BILLS["full"] ?? {};
    expect(joinFields(splitFields(full, BILL_FIELDS).counted, {}, BILL_FIELDS)).toEqual({
      _id: "full",
      address: "",
      total: 3,
      at: new Date(5),
      lines: [
        { name: "", price: 1 },
        { name: "", price: 2 },
      ],
      shop: { id: "s", clerk: null },
      tip: { amount: 1 },
      tags: ["a"],
    });
    expect(splitFields(BILLS["bare"] ?? {}, BILL_FIELDS).rest).toEqual({});
  });

  test("an export shows only fields that are known to be the owner's", () => {
    expect(shownFields(BILLS["full"] ?? {}, BILL_FIELDS)).toEqual({
      address: "words",
      phone: "words",
      lines: [{ name: "words", note: "words" }, { name: "" }],
    });
  });
});

describe("erasing in the database", () => {
  const database = useTestDatabase();

  test("leaves the same document as in memory, once and twice, and its values are not found again", async () => {
    const bills = database.mongo.db.collection<Bill>("bills");
    await bills.insertMany(Object.values(BILLS));
    const found = await bills.find(holdsMore(BILL_FIELDS)).toArray();
    expect(found.map(({ _id }) => _id)).toEqual(["full"]);
    for (let time = 0; time < 2; time++) {
      await bills.updateMany({}, erasing(BILL_FIELDS));
      expect(await bills.find().sort({ total: -1 }).toArray()).toEqual(
        Object.values(BILLS).map((bill) =>
          joinFields(splitFields(bill, BILL_FIELDS).counted, {}, BILL_FIELDS),
        ),
      );
    }
    expect(await bills.countDocuments(holdsMore(BILL_FIELDS))).toBe(0);
  });
});
