// Name and description of the old site become those of this blog, if that is chosen.
import { hash } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import { inTransaction } from '../../database/transaction.ts'
import { checkSiteValues, setSiteValues } from '../../operator/site-values.ts'
import type { ArchiveContext } from '../context.ts'
import * as store from './imports-store.ts'
import { readStagedSite } from './staged-site.ts'
import type { Staging } from './staging-store.ts'

const NAMES = ['siteName', 'about'] as const
type Name = (typeof NAMES)[number]
type Item = { owner: string; source: string; runId: string }

/** What does not fit is reported. */
export async function copySiteName(
  context: ArchiveContext,
  staging: Staging,
  item: Item,
): Promise<void> {
  const { site } = readStagedSite(staging)
  const values = { siteName: site.name, about: site.description }
  for (const name of NAMES) {
    const value = values[name]
    if (value.trim() === '') continue
    try {
      await copyValue(context, item, name, value)
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      const issue = {
        what: 'part',
        name: value,
        reason: 'tooLong',
        post: '',
        detail: name,
      } as const
      staging.addIssue('import', issue)
    }
  }
}

async function copyValue(
  context: ArchiveContext,
  item: Item,
  name: Name,
  value: string,
): Promise<void> {
  const { [name]: after = '' } = checkSiteValues({ [name]: value })
  const { [name]: before } = await context.site.read()
  const key = `${item.runId} ${name}`
  // An import that was interrupted has noted before what there was.
  if (!(await store.findItems(context.db, item, 'value', [key])).has(key))
    await inTransaction(context.db, context.background, (tx) =>
      store.insertItem(tx, {
        ...item,
        kind: 'value',
        key,
        targetId: before,
        digest: digest(after),
      }),
    )
  await setSiteValues(context, { role: 'key' }, { [name]: after })
}

/** Brings back what there was before the import, unless it was changed since. */
export async function undoSiteName(context: ArchiveContext, runId: string): Promise<void> {
  const { db, background, site } = context
  const all = {
    runId,
    kind: 'value',
    before: Number.MAX_SAFE_INTEGER,
    limit: NAMES.length,
  } as const
  for (const { seq, key, targetId: before, digest: copied } of await store.listItems(db, all)) {
    const name = NAMES.find((known) => key.endsWith(` ${known}`))
    if (name && digest((await site.read())[name]) === copied)
      await setSiteValues(context, { role: 'key' }, { [name]: before })
    await inTransaction(db, background, (tx) => store.markUndone(tx, [seq]))
  }
}

const digest = (value: string): string => hash('sha256', value)
