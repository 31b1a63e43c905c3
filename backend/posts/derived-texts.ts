// What a page says of a body besides showing it (language, reading time, description, the letters
// it is written in), made once for each stored body and kept in memory and beside the post
// (decision 0024). What it is, the web part knows; here it is a JSON value.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { DeriveTexts } from '#contract/pages.ts'
import { DERIVED_TEXTS_MAX_BYTES } from '#contract/server-limits.ts'
import type { Database } from '../database/schema.ts'
import type { Background } from '../process/background.ts'
import { keepLater } from './clean-again.ts'
import * as store from './derived-texts-store.ts'

type DerivingNeeds = { db: Database; background: Background }

export function makeDerivedTexts(
  needs: DerivingNeeds,
  maxBytes = DERIVED_TEXTS_MAX_BYTES,
): DeriveTexts {
  const known = new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (texts) => 200 + texts.length,
  })
  return async (postId, html, { version, make }) => {
    const textsDigest = hash('sha256', version + html, 'base64')
    const row = known.has(textsDigest) ? undefined : await store.findTexts(needs.db, postId)
    const texts =
      known.get(textsDigest) ?? (row?.textsDigest === textsDigest ? row.texts : undefined)
    if (texts) {
      known.set(textsDigest, texts)
      return JSON.parse(texts)
    }
    const made = make(html)
    const text = JSON.stringify(made)
    known.set(textsDigest, text)
    keepLater(needs, postId, { textsDigest, texts: text })
    return made
  }
}
