// The 404 screen.
import { ArrowLeft } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'

export function NotFound({ path }: { path: string }) {
  const api = useApi()
  const navigate = useNavigate()
  return (
    <>
      <PageTitle screen="404 Not Found" site={api.settings.siteName} />
      <MessageScreen
        art="searching"
        title="404 Not Found"
        actions={
          <>
            <Link className={buttonClass('primary')} to="/post">
              All posts
            </Link>
            <Button kind="secondary" onClick={() => (window.history.length > 1 ? void navigate(-1) : void navigate('/post'))}>
              <ArrowLeft className="i flip" aria-hidden="true" />
              Go back
            </Button>
          </>
        }
      >
        <p>
          No route matches URL <span className="mono">{path}</span>
        </p>
        <p>The page may have moved, or the address has a small typing slip.</p>
      </MessageScreen>
    </>
  )
}
