// A sample must contain each kind of text, and be the same for the same seed.
import { expect, test } from "vitest";
import { type File, sampleOf } from "../../scripts/sample-words.ts";

const FILES: readonly File[] = [
  [
    "docs/a.md",
    "# Heading\n\nA paragraph has more than five words.\n\n```\ncode that has more than five words\n```\n",
  ],
  [
    "core/a.ts",
    '// A comment is a sentence.\nthrow new AppError("not_found", { message: "The job was not found." });\n',
  ],
  ["test/a.test.ts", 'test("a test name makes sense alone", () => {});\n'],
  ...Array.from({ length: 200 }, (_, i): File => [
    `core/${i}.ts`,
    `/** The comment with the number ${i}. */\n`,
  ]),
];

test("a sample contains each kind of text, without code and headings", () => {
  const sample = sampleOf(FILES, "1");
  expect(sample.get("paragraphs")).toEqual(["A paragraph has more than five words."]);
  expect(sample.get("test names")).toEqual(["a test name makes sense alone"]);
  expect(sample.get("error messages")).toEqual(["The job was not found."]);
  expect(sample.get("comments")).toHaveLength(50);
});

test("a sample depends on its seed, and not on the order of files", () => {
  expect(sampleOf(FILES.toReversed(), "1")).toEqual(sampleOf(FILES, "1"));
  expect(sampleOf(FILES, "2").get("comments")).not.toEqual(sampleOf(FILES, "1").get("comments"));
});
