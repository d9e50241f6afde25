// The tokens of a text for a common tokenizer; others differ by some percent.
import { Tiktoken } from "js-tiktoken/lite";
import o200k from "js-tiktoken/ranks/o200k_base";

let tokenizer: Tiktoken | undefined;

export function countTokens(text: string): number {
  tokenizer ??= new Tiktoken(o200k);
  return tokenizer.encode(text).length;
}
