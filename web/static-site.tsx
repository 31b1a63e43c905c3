// The scripts and texts of an exported site, which works without the app (backend/archive/export).
import { Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { PAGE_BACKGROUND } from '#contract/colors.ts'
import type { StaticList, StaticListItem, StaticSite } from '#contract/pages.ts'
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
import {
  makeSiteResults,
  openSiteIndex,
  type StaticSearchTexts,
  searchStaticSite,
} from './search/static-search.ts'
import { buttonClass } from './ui/button.tsx'

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
  searchScript: `const texts=${JSON.stringify(SEARCH_TEXTS)};(${searchStaticSite})(${siteWords},(${openSiteIndex})(${wordsFileOf}),(${makeSiteResults})(texts),texts)`,
  titles: staticSite.titles,
  month: texts.month,
  renderList: (list) => renderToStaticMarkup(<List list={list} />),
}

function List({ list: { title, groups, newer, older } }: { list: StaticList }) {
  return (
    <div className="static-page">
      <div className="row page-intro">
        <h1 tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
      </div>
      {groups.map((group) => (
        <Fragment key={group.title}>
          {group.title && <h2>{group.title}</h2>}
          <ul className="static-list">
            {group.items.map((item) => (
              <li key={item.href}>
                <Item item={item} />
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
      {(newer || older) && (
        <nav className="row page-links" aria-label={pages.label}>
          <span>{newer && <PageLink rel="prev" href={newer} text={pages.newer} />}</span>
          <span>{older && <PageLink rel="next" href={older} text={pages.older} />}</span>
        </nav>
      )}
    </div>
  )
}

function Item({ item: { href, text, author: name, time, posts } }: { item: StaticListItem }) {
  return (
    <>
      <a href={href} dir="auto">
        {text}
      </a>
      <span className="quiet">
        {name && <bdi>{name}</bdi>}
        {time && (
          <time dateTime={time} data-date="">
            {plainDate(time)}
          </time>
        )}
        {posts !== undefined && author.count(posts)}
      </span>
    </>
  )
}

function PageLink({ text, ...link }: { rel: string; href: string; text: string }) {
  return (
    <a {...link} className={buttonClass('secondary')}>
      {text}
    </a>
  )
}

function textOf(node: Parameters<typeof renderToStaticMarkup>[0]): string {
  return plainText(renderToStaticMarkup(node))
}
