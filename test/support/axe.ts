// What axe finds on a page, in words that a failed test can show.
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** @param rules only these rules; all of every level when left out */
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page })
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
