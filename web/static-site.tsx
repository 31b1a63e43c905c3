// The scripts and texts of an exported site, which works without the app (backend/archive/export).
import { renderToStaticMarkup } from 'react-dom/server'
import { PAGE_BACKGROUND } from '#contract/colors.ts'
import type { StaticSite } from '#contract/pages.ts'
import { plainText } from '#contract/plain-text.ts'
import { siteWords, wordsFileOf } from '#contract/site-search.ts'
import { plainDate } from './dates/dates.tsx'
import { foldComments, UNFOLD_BUTTON_ID, WHOLE_COMMENT_LINES } from './head/fold-comments.ts'
import { toScript } from './head/head-script.ts'
import {
  DATE_FORMAT,
  DATE_LANGUAGE_KEY,
  showLocalDates,
  TIME_FORMAT,
} from './head/localise-dates.ts'
import { closeDetailsOnEscape, followSkipLinks } from './head/page-scripts.ts'
import { runSwitches, SWITCH_KEYS } from './head/static-site.ts'
import { applyStoredPreferences, STORED_PREFERENCES } from './head/stored-preferences.ts'
import { texts } from './locales/texts.ts'
import { type StaticSearchTexts, searchStaticSite } from './search/static-search.ts'

const SCRIPT = [
  toScript(applyStoredPreferences, STORED_PREFERENCES),
  toScript(runSwitches, { ...SWITCH_KEYS, background: PAGE_BACKGROUND }),
  toScript(followSkipLinks),
  toScript(showLocalDates, DATE_FORMAT, TIME_FORMAT, DATE_LANGUAGE_KEY),
  toScript(closeDetailsOnEscape),
  toScript(foldComments, WHOLE_COMMENT_LINES, UNFOLD_BUTTON_ID),
].join(';')

const { search, staticSite, pages, author } = texts

const SEARCH_TEXTS: StaticSearchTexts = {
  language: texts.language,
  found: textOf(search.found('{n}', false, '{q}')),
  foundOne: textOf(search.found('{n}', true, '{q}')),
  none: textOf(search.none('{q}')),
  noneHint: search.noneHint,
  failed: staticSite.noIndex,
  next: search.next,
  previous: search.previous,
  pages: pages.label,
}

export const STATIC_SITE: Omit<StaticSite, 'style'> = {
  script: SCRIPT,
  searchScript: `(${searchStaticSite})(${siteWords},${wordsFileOf},${JSON.stringify(SEARCH_TEXTS)})`,
  words: {
    language: texts.language,
    archive: staticSite.archive,
    authors: staticSite.authors,
    tags: staticSite.tags,
    count: author.count,
    month: texts.month,
    date: plainDate,
    newer: pages.newer,
    older: pages.older,
    page: (number) => pages.number(String(number)),
    pages: pages.label,
  },
}

function textOf(node: Parameters<typeof renderToStaticMarkup>[0]): string {
  return plainText(renderToStaticMarkup(node))
}
