// What a page for everybody puts into the document's head, beside its title: its one address, and
// what other sites show of a link to it.
import { useApi } from '../api/api-context.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { addressOf, type Described, StructuredData } from './structured-data.tsx'

type PublicHeadProps = {
  screen: string
  description: string
  /** From the root of the site. */
  path: string
  /** Search engines may list it. Where only members read they never do. */
  isIndexed?: boolean
  /** What the page is about, told to search engines where they may list it. */
  data?: Described[]
}

export function PublicHead({
  screen,
  description,
  path,
  isIndexed = true,
  data = [],
}: PublicHeadProps) {
  const api = useApi()
  const { siteName, reading } = api.settings
  const isHidden = !isIndexed || reading === 'members'
  const address = addressOf(api, path)
  return (
    <>
      <PageTitle screen={screen} description={description} />
      {isHidden && <meta name="robots" content="noindex" />}
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:title" content={screen} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta name="twitter:card" content="summary" />
      {!isHidden &&
        data.map((value) => <StructuredData key={JSON.stringify(value)} value={value} />)}
    </>
  )
}
