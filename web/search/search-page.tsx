// /search: the field and the results, a page at a time. The server renders all of it; the form and
// the links work without scripts.

import { CircleAlert, RotateCw } from 'lucide-react'
import { Children, useId } from 'react'
import { Form, useSearchParams } from 'react-router'
import { SEARCH_PAGE_POSTS, SEARCH_RESULTS_MAX } from '#contract/limits.ts'
import { pagePath } from '#contract/post-url.ts'
import type { SearchResult, SearchResults, TextPart } from '#contract/search.ts'
import { isolateBidi } from '#contract/visible-text.ts'
import { useApi } from '../api/client.ts'
import { LocalDate } from '../dates/dates.tsx'
import { sourcesOf } from '../files/files-api.ts'
import { usePageData, useTitleFocus, useViewerId } from '../lists/list-state.ts'
import { PageNav } from '../lists/page-links.tsx'
import { texts } from '../locales/texts.ts'
import { FeaturedImage, placeholderStyle } from '../posts/featured-image.tsx'
import { statusText } from '../posts/like-stat.tsx'
import { useAuthorPath, usePostPath } from '../posts/post-paths.ts'
import { PublicHead } from '../posts/public-head.tsx'
import { SearchField } from '../posts/search-field.tsx'
import { TagList } from '../posts/tag-list.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { LoadingText, MessageScreen } from '../ui/screens.tsx'
import { useWhenOnline } from '../ui/use-online.ts'
import {
  loadSearch,
  readSearchQuery,
  type SearchPageData,
  type SearchQuery,
  searchPath,
} from './load-search.ts'

const count = new Intl.NumberFormat(texts.language)

/** For guests and signed-in users alike: each finds the posts that they may read. */
export function SearchPage() {
  const api = useApi()
  const query = readSearchQuery(useSearchParams()[0])
  const { result, page, retry } = usePageData(() => loadSearch(api, query))
  const title = useTitleFocus()
  const messageId = useId()
  const hasFailed = result !== undefined && !result.ok
  const isShort = page?.kind === 'short'
  return (
    <>
      <PublicHead
        screenTitle={
          query.q === '' ? texts.searchField.title : texts.search.screen(isolateBidi(query.q))
        }
        description={api.settings.about}
        path="/search"
        isIndexed={isListed(page, query)}
      />
      <div className="row page-intro">
        <h1 ref={title} tabIndex={-1}>
          {texts.searchField.title}
        </h1>
      </div>
      <Form className="search-form" role="search" action="/search">
        <SearchField
          q={query.q}
          placeholder={texts.search.placeholder}
          errorId={isShort ? messageId : undefined}
        />
        <Button type="submit" kind={hasFailed ? 'secondary' : 'primary'}>
          {texts.search.submit}
        </Button>
      </Form>
      {isShort && (
        <p className="field-error" id={messageId} role="alert">
          <CircleAlert className="icon icon--small" aria-hidden="true" />
          <span>{texts.search.tooShort}</span>
        </p>
      )}
      {page?.kind === 'start' && <Start tags={page.tags} />}
      {page?.kind === 'found' && <Results results={page.results} query={query} />}
      {!result && <LoadingText>{texts.loading.posts}</LoadingText>}
      {hasFailed && <Failed onRetry={retry} />}
    </>
  )
}

/**
 * Search engines index pages with results under their canonical address, the page without a query.
 * A search without results is not indexed, so that nobody can plant words in search engines.
 */
function isListed(page: SearchPageData | undefined, query: SearchQuery): boolean {
  if (page?.kind === 'found') return page.results.total > 0 && query.page === 1
  return page?.kind === 'start'
}

function Start({ tags }: { tags: string[] }) {
  const { rules } = texts.search
  return (
    <div className="search-start">
      <h2>{texts.search.tips}</h2>
      <ul>
        <li>{rules.words(<code>{rules.wordsExample}</code>)}</li>
        {/* The search of an exported site knows no phrases. */}
        <li data-static="">{rules.phrase(<code>{rules.phraseExample}</code>)}</li>
        <li>{rules.spelling}</li>
      </ul>
      {tags.length > 0 && (
        <>
          <h2>{texts.search.tags}</h2>
          <TagList tags={tags} label={texts.search.tags} />
        </>
      )}
    </div>
  )
}

type ResultsProps = { results: SearchResults; query: SearchQuery }

function Results({ results, query }: ResultsProps) {
  const { total, documents } = results
  if (total === 0) return <NothingFound q={query.q} />
  const number = count.format(total)
  const isCapped = total >= SEARCH_RESULTS_MAX
  return (
    <>
      <p className="quiet search-count" role="status">
        {texts.search.found(
          isCapped ? texts.search.atLeast(number) : number,
          total === 1,
          <bdi>{query.q}</bdi>,
        )}
      </p>
      <ResultList posts={documents} />
      <ResultPages results={results} query={query} />
    </>
  )
}

function ResultPages({ results: { total, documents }, query }: ResultsProps) {
  const { page } = query
  const previousCount = (page - 1) * SEARCH_PAGE_POSTS
  const hasMore = page * SEARCH_PAGE_POSTS < total
  if (page === 1 && !hasMore) return null
  const [first, last] = [previousCount + 1, previousCount + documents.length].map((index) =>
    count.format(index),
  )
  const totals = { total: count.format(total), isOne: documents.length === 1 }
  const linkTo = (number: number, text: string) => ({
    to: searchPath({ ...query, page: number }),
    text,
  })
  return (
    <PageNav
      previous={page > 1 ? linkTo(page - 1, texts.search.previous) : undefined}
      next={hasMore ? linkTo(page + 1, texts.search.next) : undefined}
      range={documents.length > 0 ? texts.pages.range(first ?? '', last ?? '', totals) : ''}
    />
  )
}

function NothingFound({ q }: { q: string }) {
  return (
    <div role="status">
      <MessageScreen
        art="searching"
        title={texts.search.none(<bdi>{q}</bdi>)}
        titleLevel={2}
        isInline
        actions={<ButtonLink to="/post">{texts.places.allPosts}</ButtonLink>}
      >
        <p>{texts.search.noneHint}</p>
      </MessageScreen>
    </div>
  )
}

/** Tries again automatically when the browser is online again. */
function Failed({ onRetry }: { onRetry: () => void }) {
  useWhenOnline(onRetry)
  return (
    <MessageScreen
      art="off"
      title={texts.search.failed}
      titleLevel={2}
      isInline
      isAlert
      actions={
        <Button kind="primary" onClick={onRetry} Icon={RotateCw}>
          {texts.actions.tryAgain}
        </Button>
      }
    >
      <p>{texts.search.failedText}</p>
    </MessageScreen>
  )
}

// Results: title and text with the matches marked, author, date, image.

const SHAPE = { ratio: 16 / 9, widths: [160, 320], sizes: '9rem', width: 160 }

function ResultList({ posts }: { posts: SearchResult[] }) {
  const viewerId = useViewerId()
  return (
    <ul className="found-list">
      {posts.map((post) => (
        <li key={post.$id}>
          <ResultItem post={post} isOwn={post.userid === viewerId} />
        </li>
      ))}
    </ul>
  )
}

function ResultItem({ post, isOwn }: { post: SearchResult; isOwn: boolean }) {
  const api = useApi()
  const pathOf = usePostPath()
  const image = post.ownImage
    ? sourcesOf(api, api.settings.contentBucketId, { fileId: post.ownImage, ...SHAPE })
    : undefined
  const isPrivate = isOwn && (post.status !== 'active' || post.hidden)
  return (
    <>
      <div className="found-list__text">
        <h2 dir="auto">
          <Link to={post.page && post.status === 'active' ? pagePath(post) : pathOf(post)}>
            <Marked parts={post.titleParts} />
          </Link>
        </h2>
        {post.snippet.length > 0 && (
          <p className="found-list__snippet" dir="auto">
            <Marked parts={post.snippet} />
          </p>
        )}
        <p className="quiet row found-list__facts">
          {isPrivate ? (
            <>
              {post.status !== 'active' && <span className="chip">{statusText(post.status)}</span>}
              <span>{texts.search.ownOnly}</span>
            </>
          ) : (
            !post.page && <Author post={post} />
          )}
          {!post.page && <LocalDate time={post.$createdAt} />}
        </p>
      </div>
      <div className="thumbnail found-list__image" style={placeholderStyle(post.imageColor)}>
        <FeaturedImage image={image} title={post.title} slug={post.$id} />
      </div>
    </>
  )
}

function Author({ post }: { post: SearchResult }) {
  const path = useAuthorPath()(post)
  const name = <bdi>{texts.card.by(post.userName)}</bdi>
  return path === undefined ? (
    name
  ) : (
    <Link className="target" to={path}>
      {name}
    </Link>
  )
}

function Marked({ parts }: { parts: TextPart[] }) {
  const show = ({ text, isHit }: TextPart) => (isHit ? <mark>{text}</mark> : text)
  return <>{Children.toArray(parts.map(show))}</>
}
