// The violations that axe finds on a page, as lines for a failed test.
import type { Frame, Page } from '@playwright/test'
import axe from 'axe-core'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** @param rules checks only these rules; by default all rules of every level */
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(untilStill)
  for (const frame of page.frames()) if (await isOwn(frame)) await addAxe(frame)
  return await page.evaluate(async (only) => {
    if (!window.axe) throw new Error('The page was left after axe was added')
    const { violations } = await window.axe.run(document, {
      resultTypes: ['violations'],
      // Style sheets would be requested anew, which fails on a page that is offline.
      preload: { assets: ['media'] },
      ...(only && { runOnly: only }),
    })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
  }, rules)
}

/** Frames of foreign players are sandboxed, and a frame that is not loaded yet never answers. */
async function isOwn(frame: Frame): Promise<boolean> {
  if (!frame.parentFrame()) return true
  const element = await frame.frameElement()
  return await element.evaluate((one) => !(one as Element).hasAttribute('sandbox'))
}

/** Once per document: compiling axe takes longer than running it. */
async function addAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
}

/** During a transition the contrast is that of neither colour: waits for animations to end. */
async function untilStill(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) < Number.POSITIVE_INFINITY)
  await Promise.allSettled(ending.map(({ finished }) => finished))
}
