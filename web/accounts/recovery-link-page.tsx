// /verifyUserEmailLink: the landing of recovery links (product.md §O6). The values of the link are
// removed from the address.
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { linkValuesIn, useMailedAddress, useQueryOnce } from './link-values.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import { useViewer } from './viewer.tsx'

export function RecoveryLinkPage() {
  const email = useMailedAddress()
  const link = useQueryOnce(linkValuesIn)
  const [isExpired, setExpired] = useState(false)
  if (link && !isExpired)
    return <NewPasswordForm link={link} email={email} onExpired={() => setExpired(true)} />
  return <NoLink isExpired={isExpired} />
}

function NoLink({ isExpired }: { isExpired: boolean }) {
  const { settings } = useApi()
  const { status } = useViewer()
  const isKept = settings.mail === 'kept'
  const expired = isKept ? texts.keptMails.expired : texts.recoveryLink.expired
  return (
    <>
      <PageTitle screen={texts.recoveryLink.screen} site={settings.siteName} />
      <MessageScreen
        art="off"
        title={isExpired ? texts.mailNews.expired : texts.recoveryLink.incomplete}
        isAlert
        actions={
          <>
            {settings.mail !== 'off' && (
              <Link className={buttonClass('primary')} to="/forgot">
                <Mail className="icon" aria-hidden="true" />
                {isKept ? texts.keptMails.makeLink : texts.mails.newLink}
              </Link>
            )}
            <Link className={buttonClass('secondary')} to={status ? '/dashboard' : '/login'}>
              {status ? texts.places.dashboard : texts.signing.in}
            </Link>
          </>
        }
      >
        <p>{isExpired ? expired : texts.recoveryLink.incompleteText}</p>
      </MessageScreen>
    </>
  )
}
