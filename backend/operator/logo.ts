// The logo of the blog (api.md §15.20), stored as a picture that the server has drawn.

import { Refusal } from '#contract/errors.ts'
import { LOGO } from '#contract/site-settings.ts'
import { inTransaction } from '../database/transaction.ts'
import { runImageJob } from '../files/image-process.ts'
import type { Viewer } from '../http/viewer.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import { changeLogo } from '../site/site.ts'
import type { OperatorContext } from './context.ts'
import { readSiteValues, recordValueChange } from './site-values.ts'

/** @throws Refusal `storage_invalid_file` when the bytes cannot be a logo */
export async function setLogo(
  context: OperatorContext,
  actor: Viewer,
  bytes: Buffer,
  caller: QueueCaller,
) {
  const { imageQueue } = context
  const draw = () => runImageJob('logo', bytes, { side: LOGO.side })
  const picture = await imageQueue(draw, caller, { isUpload: true }).catch((error: unknown) => {
    const isInvalid = error instanceof Refusal && error.type === 'storage_invalid_file'
    if (!isInvalid) throw error
    const rule = `A logo is a square PNG or JPEG of at least ${LOGO.minPixels} pixels, or an SVG without scripts, entities and other files.`
    throw new Refusal('storage_invalid_file', rule, { cause: error })
  })
  return await store(context, actor, picture.bytes)
}

export function removeLogo(context: OperatorContext, actor: Viewer) {
  return store(context, actor, undefined)
}

async function store(context: OperatorContext, actor: Viewer, picture: Buffer | undefined) {
  const { logo: before } = await context.site.read()
  await inTransaction(context.db, context.background, async (tx) => {
    const after = await changeLogo(tx, picture)
    if (before !== after) await recordValueChange(tx, actor, context.now(), { name: 'logo' })
  })
  return readSiteValues(context)
}
