// The posts of one tag: pages of cards, rendered by the server, with links between them.
import { Search } from 'lucide-react'
import { useParams } from 'react-router'
import { TOTAL_MAX } from '#contract/limits.ts'
import { tagKey, tagPath } from '#contract/plain-text.ts'
import { useApi } from '../api/client.ts'
import { usePageData, useTitleFocus } from '../lists/list-state.ts'
import { pagePath } from '../lists/page-links.tsx'
import { texts } from '../locales/texts.ts'
import { FeedLink, PageFeedHeadLinks, PublicHead } from '../posts/public-head.tsx'
import { NarrowSearch } from '../posts/search-field.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { MessageScreen } from '../ui/screens.tsx'
import { isEmptyList, PageOfPosts } from './feed-states.tsx'
import { loadTagPosts, type TagPosts } from './tag-posts.ts'

const count = new Intl.NumberFormat(texts.language)

/** /tag/{tag}, for guests and members: shows the posts that the viewer may read. */
export function TagPage() {
  const api = useApi()
  const tag = tagKey(useParams().tag ?? '')
  const data = usePageData((cursor) => loadTagPosts(api, tag, cursor))
  const { page, after } = data
  const title = useTitleFocus()
  const path = tagPath(tag)
  const name = page?.name ?? tag
  const isUnused = page !== undefined && isEmptyList(page, after)
  return (
    <>
      <PublicHead
        screenTitle={texts.tag.title(name)}
        description={texts.tag.description(name, api.settings.siteName)}
        path={pagePath(path, after)}
        isIndexed={page !== undefined && !isUnused && after === undefined}
      />
      {page && !isUnused && (
        <PageFeedHeadLinks
          pagePath={path}
          title={`${texts.tag.title(name)} · ${api.settings.siteName}`}
        />
      )}
      <div className="row page-intro">
        <div>
          <p className="quiet">{texts.tag.small}</p>
          <h1 ref={title} tabIndex={-1}>
            <bdi>{texts.tag.title(name)}</bdi>
          </h1>
        </div>
        {page && !isUnused && <Facts page={page} path={path} after={after} />}
      </div>
      {!isUnused && <NarrowSearch />}
      <PageOfPosts data={data} path={path} empty={<NoPosts />} />
    </>
  )
}

type FactsProps = { page: TagPosts; path: string; after: string | undefined }

function Facts({ page: { total, posts, before }, path, after }: FactsProps) {
  const totalCount = Math.max(total, before + posts.length)
  const number = count.format(Math.min(totalCount, TOTAL_MAX))
  return (
    <p className="quiet row page-facts">
      <span>
        {texts.tag.count(
          totalCount < TOTAL_MAX ? number : texts.pages.many(number),
          totalCount === 1,
        )}
      </span>
      {after !== undefined && (
        <Link className="link" to={path}>
          {texts.pages.newest}
        </Link>
      )}
      <FeedLink pagePath={path} />
    </p>
  )
}

function NoPosts() {
  return (
    <MessageScreen
      art="searching"
      title={texts.tag.empty}
      titleLevel={2}
      isInline
      actions={
        <>
          <ButtonLink kind="primary" to="/search" Icon={Search}>
            {texts.tag.search}
          </ButtonLink>
          <ButtonLink to="/post">{texts.places.allPosts}</ButtonLink>
        </>
      }
    >
      <p>{texts.tag.emptyHint}</p>
    </MessageScreen>
  )
}
