// Turns a post of an export into the values of a post here, within the limits of typed posts.
// Whatever is cut, or changes, is reported.
import type { ImportChoices, ImportIssue } from '#contract/archive.ts'
import { truncateAtGrapheme } from '#contract/graphemes.ts'
import { parseTime } from '#contract/ids.ts'
import { DETAIL_MAX_CHARS, TAG_MAX_CHARS, TAGS_MAX, TITLE_MAX_CHARS } from '#contract/limits.ts'
import {
  distinctTags,
  hasMoreCharacters,
  isTag,
  normaliseUnicode,
  plainText,
  trimChars,
} from '#contract/plain-text.ts'
import type { PostStatus } from '#contract/posts.ts'
import { cleanLine, isVisible, withoutBidiControls } from '#contract/visible-text.ts'
import { applyDetailChanges, type DetailChanges, readDetail } from '../../posts/post-details.ts'
import { SCHEDULE_YEARS_MAX } from '../../posts/schedule.ts'
import type { SourcePost } from '../sources/source.ts'
import { type OldSite, toFullAddress } from './old-site.ts'

export type Report = (issue: Omit<ImportIssue, 'what' | 'name' | 'post'>) => void

export type ImportedPost = {
  isPage: boolean
  title: string
  status: PostStatus
  tags: string[]
  /** As JSON (post-details.ts). */
  details: string
  createdAt: string
  updatedAt: string
  publishedAt: string
  publishAt: string
}

type Rules = {
  site: OldSite
  choices: Pick<ImportChoices, 'status' | 'pages'>
  /** Only an import of the whole blog makes pages. */
  isWholeBlog: boolean
  now: Date
}

/** Whether a post, or page, is imported with these choices. */
export function isWanted({ kind }: Pick<SourcePost, 'kind'>, choices: Rules['choices']): boolean {
  return kind === 'post' || choices.pages !== 'none'
}

export function readImportedPost(post: SourcePost, rules: Rules, report: Report): ImportedPost {
  const { choices, isWholeBlog } = rules
  const isPage = post.kind === 'page' && choices.pages === 'pages' && isWholeBlog
  const isPageAsPost = post.kind === 'page' && !isPage
  return {
    isPage,
    title: readTitle(post, report),
    tags: readTags(isPageAsPost ? ['page', ...post.tags] : post.tags, report),
    details: readDetails(post, rules, report),
    ...readDates(post, rules, report),
  }
}

const TITLE_FROM_TEXT_CHARS = 80
const UNTITLED = 'Untitled'

function readTitle({ title, html }: SourcePost, report: Report): string {
  const line = toLine(title)
  if (!isVisible(line)) {
    report({ reason: 'noTitle', detail: '' })
    const text = toLine(plainText(html.slice(0, 10_000)))
    return isVisible(text) ? cut(text, TITLE_FROM_TEXT_CHARS) : UNTITLED
  }
  if (!hasMoreCharacters(line, TITLE_MAX_CHARS)) return line
  report({ reason: 'tooLong', detail: line })
  return cut(line, TITLE_MAX_CHARS)
}

function toLine(text: string): string {
  const line = text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ')
  return cleanLine(withoutBidiControls(line))
}

function cut(text: string, maxChars: number): string {
  const isLong = hasMoreCharacters(text, maxChars)
  return isLong ? `${truncateAtGrapheme(text, maxChars - 1).trimEnd()}…` : text
}

/** Tags here are words: other characters become hyphens. */
export function readTags(names: readonly string[], report: Report): string[] {
  const tags = distinctTags(names.map(toTag).filter(isTag))
  if (tags.length > TAGS_MAX)
    report({ reason: 'tooManyTags', detail: tags.slice(TAGS_MAX).join(', ') })
  const cutTags = names.filter((name) => hasMoreCharacters(toWord(name), TAG_MAX_CHARS))
  if (cutTags.length > 0) report({ reason: 'tooLong', detail: cutTags.join(', ') })
  return tags.slice(0, TAGS_MAX)
}

function toTag(name: string): string {
  return trimChars(truncateAtGrapheme(toWord(name), TAG_MAX_CHARS), '-')
}

function toWord(name: string): string {
  const word = normaliseUnicode(name.toWellFormed()).replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
  return trimChars(word.replace(/^[-\p{M}]+/u, ''), '-')
}

function readDetails(post: SourcePost, { site }: Rules, report: Report): string {
  const { excerpt, addressWords, metaTitle, metaDescription, canonicalUrl } = post
  const line = toLine(excerpt)
  if (hasMoreCharacters(line, DETAIL_MAX_CHARS.excerpt)) report({ reason: 'tooLong', detail: line })
  const canonical = toFullAddress(site, canonicalUrl, post.url)
  const isElsewhere = canonical !== undefined && !site.hosts.has(canonical.host)
  const sent = {
    excerpt: cut(line, DETAIL_MAX_CHARS.excerpt),
    addressWords: cut(toLine(addressWords), DETAIL_MAX_CHARS.addressWords),
    metaTitle: cut(toLine(metaTitle), DETAIL_MAX_CHARS.metaTitle),
    metaDescription: cut(toLine(metaDescription), DETAIL_MAX_CHARS.metaDescription),
    canonicalUrl: isElsewhere ? canonical.href : '',
  }
  const details: DetailChanges = {}
  for (const [name, value] of Object.entries(sent) as [keyof typeof sent, string][]) {
    if (value === '') continue
    try {
      details[name] = readDetail(name, value)
    } catch {
      // Such as words without letters: the post does without.
    }
  }
  return applyDetailChanges('', details)
}

/** Older times are mistakes of the export, such as 0000-00-00. */
const OLDEST = '1900'

function readDates(post: SourcePost, rules: Rules, report: Report) {
  const { choices } = rules
  const now = rules.now.toISOString()
  const read = (text: string): string => {
    const time = text === '' ? undefined : parseTime(text)
    if (text !== '' && (time === undefined || time < OLDEST))
      report({ reason: 'badDate', detail: text })
    return time !== undefined && time >= OLDEST ? time : ''
  }
  const [publishedAt, createdAt, updatedAt] = [
    read(post.publishedAt),
    read(post.createdAt),
    read(post.updatedAt),
  ]
  const latest = [updatedAt, createdAt].find((time) => time !== '' && time <= now) ?? now
  const isActive = post.status === 'published' && choices.status === 'active'
  if (post.status === 'scheduled') {
    const isAhead = publishedAt > now && publishedAt <= yearsAfter(rules.now)
    if (!isAhead) report({ reason: 'badDate', detail: post.publishedAt })
    const time = createdAt !== '' && createdAt <= now ? createdAt : latest
    const publishAt = isAhead && choices.status === 'active' ? publishedAt : ''
    return { ...datesOf(time, latest), status: 'inactive', publishAt, publishedAt: '' } as const
  }
  if (post.status === 'draft') {
    const time = createdAt !== '' && createdAt <= now ? createdAt : latest
    return { ...datesOf(time, latest), status: 'inactive', publishAt: '', publishedAt: '' } as const
  }
  if (publishedAt === '' || publishedAt > now)
    report({ reason: post.publishedAt ? 'badDate' : 'noDate', detail: post.publishedAt })
  const time = publishedAt !== '' && publishedAt <= now ? publishedAt : latest
  // A post that is not active keeps the date of its publication for the next one.
  return {
    ...datesOf(time, latest),
    status: isActive ? 'active' : 'inactive',
    publishAt: '',
    publishedAt: time,
  } as const
}

function datesOf(createdAt: string, changedAt: string) {
  return { createdAt, updatedAt: changedAt > createdAt ? changedAt : createdAt }
}

function yearsAfter(now: Date): string {
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + SCHEDULE_YEARS_MAX)
  return latest.toISOString()
}
