// A page of the blog, such as "About": a title and a text. The server sends it complete. Addresses
// that are no page are sign-in links, or missing (other-path-page.tsx).
import { Suspense } from 'react'
import { Navigate, useLoaderData, useLocation } from 'react-router'
import { pagePath } from '#contract/post-url.ts'
import { isolateBidi } from '#contract/visible-text.ts'
import { OtherPathPage } from '../accounts/other-path-page.tsx'
import { isOperator, useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import type { PagePost } from '../posts/posts-api.ts'
import { addressOf, PageMetadata, publisherOf, StructuredData } from '../posts/public-head.tsx'
import { Alert } from '../ui/alert.tsx'
import { lazyWhenOnline } from '../ui/load-code.ts'
import { PageTitle } from '../ui/screens.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { useBodyHtml, useBodyMetadata } from './body-metadata.ts'
import { PostBody } from './post-article.tsx'

const OwnerMenus = lazyWhenOnline(async () => (await import('./owner-menus.tsx')).OwnerMenus)

/** Null where there is no page. */
type BlogPageData = { post: PagePost } | { isSignInLink: true } | null

export function BlogPage() {
  const page = useLoaderData<BlogPageData>()
  if (page && 'post' in page) return <BlogPageView page={page.post} />
  return (
    <>
      {/* The server says it of a page that is missing. */}
      {page?.isSignInLink && <meta name="robots" content="noindex" />}
      <OtherPathPage />
    </>
  )
}

/** Also in place of a post, at an address with the id of the page: until it has one of its own. */
export function BlogPageView({ page }: { page: PagePost }) {
  const { userData } = useViewer()
  const { pathname } = useLocation()
  const isHydrated = useIsHydrated()
  const { direction } = useBodyMetadata(page.highlightedContent)
  const html = useBodyHtml(page.highlightedContent, [])
  const isShown = page.status === 'active' && !page.hidden
  if (isShown && pathname.startsWith('/post/')) return <Navigate to={pagePath(page)} replace />
  return (
    <>
      <PageHead page={page} isShown={isShown} />
      <article className="post blog-page" aria-labelledby="post-title">
        {isOperator(userData) && isHydrated && (
          <div className="row row--tight blog-page__tools">
            <Suspense fallback={null}>
              <OwnerMenus post={page} viewerId={userData?.$id} />
            </Suspense>
          </div>
        )}
        {!isShown && <Alert kind="warn">{texts.blogPages.notShown}</Alert>}
        <h1 id="post-title" dir="auto" lang="">
          {page.title}
        </h1>
        <PostBody html={html} direction={direction} />
      </article>
    </>
  )
}

function PageHead({ page, isShown }: { page: PagePost; isShown: boolean }) {
  const api = useApi()
  const { description: beginning } = useBodyMetadata(page.highlightedContent)
  const title = page.metaTitle || page.title
  const description = page.metaDescription || page.excerpt || beginning || title
  const path = pagePath(page)
  const address = addressOf(api, path)
  return (
    <>
      <PageTitle screen={isolateBidi(title)} description={description} />
      <PageMetadata
        type="website"
        isIndexed={isShown}
        title={title}
        description={description}
        path={path}
        original={page.canonicalUrl}
      />
      <meta name="twitter:card" content="summary" />
      <StructuredData
        value={{
          '@type': 'WebPage',
          name: title,
          description,
          url: address,
          dateModified: page.$updatedAt,
          publisher: publisherOf(api),
        }}
      />
    </>
  )
}
