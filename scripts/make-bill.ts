// Prints the bill of materials of what production is installed with in this folder; the image is given one so when it is built.
//   node scripts/make-bill.ts [FOLDER [SECONDS]]    the seconds since 1970 that it names as its time; none where they are left out
import { makeBill } from "./release/bill.ts";

const [root = process.cwd(), committedAt] = process.argv.slice(2);
process.stdout.write(
  makeBill(root, { packages: "production", ...(committedAt && { committedAt: Number(committedAt) }) }),
);
