// What axe finds on a page, in words that a failed test can show.
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** @param rules only these rules; all of every level when left out */
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(untilStill)
  const axe = new AxeBuilder({ page })
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
}

/** A colour on its way from one to another has the contrast of neither. */
async function untilStill(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) < Number.POSITIVE_INFINITY)
  await Promise.allSettled(ending.map(({ finished }) => finished))
}
