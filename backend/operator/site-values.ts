// The values of the blog that operators set in the browser (api.md §15.20), and their checks.

import { invalidParam, Refusal } from '#contract/errors.ts'
import { SITE_VALUE_RULES, type SiteValueName, type SiteValues } from '#contract/site-settings.ts'
import { cleanLine, isVisible } from '#contract/visible-text.ts'
import type { AccountsContext } from '../accounts/context.ts'
import { recordActivity } from '../activity/activity.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { writeSiteValues } from '../site/site.ts'

/** The current values, and the names of the values that the server's settings fix. */
export async function readSiteValues({ site, fixedSite }: AccountsContext) {
  const current = await site.read()
  const names = Object.keys(SITE_VALUE_RULES) as SiteValueName[]
  const values = Object.fromEntries(names.map((name) => [name, current[name]]))
  return { ...(values as SiteValues), logo: current.logo, fixed: [...fixedSite] }
}

/** @throws Refusal `general_argument_invalid` for a wrong value, or one set on the server */
export async function setSiteValues(
  context: AccountsContext,
  actor: Viewer,
  newValues: Partial<SiteValues>,
) {
  const fixed = context.fixedSite.find((name) => newValues[name] !== undefined)
  if (fixed) throw invalidParam(fixed, 'Value is set on the server, and can only be changed there')
  const values = checkSiteValues(newValues)
  if (Object.keys(values).length === 0) throw new Refusal('document_missing_data')
  const before = await context.site.read()
  await inTransaction(context.db, context.background, async (tx) => {
    await writeSiteValues(tx, values)
    for (const [name, after] of Object.entries(values)) {
      const previous = before[name as SiteValueName]
      if (previous !== after)
        await recordValueChange(tx, actor, context.now(), { name, before: previous, after })
    }
  })
  return readSiteValues(context)
}

export function recordValueChange(
  tx: Database,
  actor: Viewer,
  now: Date,
  { name, ...details }: { name: string; before?: string; after?: string },
): Promise<void> {
  const subject = { type: 'value', id: '', name } as const
  return recordActivity(tx, actor, now, { kind: 'settings', action: 'changed', subject, details })
}

/** Lines are trimmed. @throws Refusal `general_argument_invalid` */
export function checkSiteValues(newValues: Partial<SiteValues>): Partial<SiteValues> {
  const checked = Object.entries(newValues).map(([name, value]) => {
    const rule = SITE_VALUE_RULES[name as SiteValueName]
    if (rule instanceof RegExp) {
      if (!rule.test(value)) throw invalidParam(name, 'Value must be a hex colour such as #2f7a6b')
      return [name, value]
    }
    if (typeof rule !== 'number') {
      if (!rule?.some((choice) => choice === value))
        throw invalidParam(name, `Value must be one of ${rule?.join(', ')}`)
      return [name, value]
    }
    const line = cleanLine(String(value))
    if (!isVisible(line) || line.length > rule || /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(line))
      throw invalidParam(name, `Value must be one line of text of 1 to ${rule} characters`)
    return [name, line]
  })
  return Object.fromEntries(checked)
}
