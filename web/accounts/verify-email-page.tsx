// /verifyUserEmailLink: the landing of recovery links (ruling O6). Nothing of the link stays in the address.
import { MailPlus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { linkValuesIn, useQueryOnce } from './link-values.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import { useViewer } from './viewer.tsx'

export function VerifyEmailPage() {
  const link = useQueryOnce(linkValuesIn)
  const [isSpent, setSpent] = useState(false)
  if (link && !isSpent) return <NewPasswordForm link={link} onSpent={() => setSpent(true)} />
  return <NoLink isSpent={isSpent} />
}

function NoLink({ isSpent }: { isSpent: boolean }) {
  const { settings } = useApi()
  const { status } = useViewer()
  return (
    <>
      <PageTitle screen="Email link" site={settings.siteName} />
      <MessageScreen
        art="off"
        title={isSpent ? 'This link has expired' : 'This link is not complete'}
        isAlert
        actions={
          <>
            {settings.hasMail && (
              <Link className={buttonClass('primary')} to="/forgot">
                <MailPlus className="i" aria-hidden="true" />
                Send a new link
              </Link>
            )}
            <Link className={buttonClass('secondary')} to={status ? '/dashboard' : '/login'}>
              {status ? 'Dashboard' : 'Sign in'}
            </Link>
          </>
        }
      >
        <p>
          {isSpent
            ? 'Links work once, for one hour. Ask for a fresh one and use the newest email.'
            : 'Open it again from the email, or ask for a fresh one. Your password has not changed.'}
        </p>
      </MessageScreen>
    </>
  )
}
