// What image work of one address and of one person may cost over time (threat-model.md §9 "Costs").
// In memory, per process. Knows no image.
import { LRUCache } from 'lru-cache'
import { Refusal } from '#contract/errors.ts'

/**
 * What image work of one address, and of one person, may cost: `[most at once, regained each
 * second]`, in pixels as of `IMAGE_LARGE_COST`. Beyond it: 429 `general_rate_limit_exceeded` with
 * Retry-After. Previews that are kept cost nothing.
 */
export const IMAGE_BUDGET = {
  /** Cards, avatars, initials, images of a post: about 300 of camera photos, then 2 a second. */
  ordinaryPreview: [12_000_000_000, 100_000_000],
  /** About 30 jpegs of 4000 x 4000, then one in 8 seconds. */
  largePreview: [2_400_000_000, 10_000_000],
  /** About 140 camera photos that have to be turned upright, then one in 4 seconds. */
  upload: [12_000_000_000, 20_000_000],
} as const satisfies Record<string, readonly [most: number, perSecond: number]>

export type BudgetKind = keyof typeof IMAGE_BUDGET

export type ImageBudget = ReturnType<typeof makeImageBudget>

const PAYERS_MAX = 50_000

type BudgetNeeds = { isOn: boolean; nowMs?: () => number }
type Account = { left: number; atMs: number }

/** @param needs `isOn` false: everything is free (tests, development) */
export function makeImageBudget({ isOn, nowMs = Date.now }: BudgetNeeds) {
  const accounts = new LRUCache<string, Account>({
    // Unlike `max`, it takes no memory before they come.
    maxSize: PAYERS_MAX,
    sizeCalculation: () => 1,
  })

  function accountOf(kind: BudgetKind, payer: string): Account {
    const [most, perSecond] = IMAGE_BUDGET[kind]
    const now = nowMs()
    const id = `${kind} ${payer}`
    const known = accounts.get(id)
    const left = known
      ? Math.min(most, known.left + (Math.max(0, now - known.atMs) / 1000) * perSecond)
      : most
    const account = { left, atMs: now }
    accounts.set(id, account)
    return account
  }

  function accountsOf(kind: BudgetKind, payers: readonly string[], cost: number): Account[] {
    const [most, perSecond] = IMAGE_BUDGET[kind]
    const found = isOn ? payers.map((payer) => accountOf(kind, payer)) : []
    const least = Math.min(...found.map(({ left }) => left))
    // Whatever is allowed at all can be drawn by somebody who has drawn nothing yet.
    const missing = Math.min(cost, most) - least
    if (missing > 0)
      throw new Refusal('general_rate_limit_exceeded', undefined, {
        headers: { 'retry-after': String(Math.ceil(missing / perSecond)) },
      })
    return found
  }

  return {
    /** @throws Refusal `general_rate_limit_exceeded` when one of the payers has less left */
    require(kind: BudgetKind, payers: readonly string[], cost: number): void {
      accountsOf(kind, payers, cost)
    },
    /**
     * Takes it from each of the payers, or from none.
     *
     * @returns gives it back, for work that was never begun
     * @throws as `require`
     */
    take(kind: BudgetKind, payers: readonly string[], cost: number): () => void {
      const [most] = IMAGE_BUDGET[kind]
      const paid = Math.min(cost, most)
      for (const account of accountsOf(kind, payers, cost)) account.left -= paid
      return () => {
        if (!isOn) return
        for (const payer of payers) accountOf(kind, payer).left += paid
      }
    },
  }
}
