import { POST_STATUSES } from '#contract/posts.ts'
import { texts } from '../locales/texts.ts'

/** The name of a status; a word that a program wrote is its own name. */
export function statusText(status: string): string {
  const known = POST_STATUSES.find((one) => one === status)
  return known ? texts.statuses[known] : status
}
