// /invitation: where the link of an invitation leads. Its values are taken out of the address and
// kept in memory only; opening the page uses nothing up (decision 0028).
import { MailOpen } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { OwnInvitation } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { DATE_FORMAT } from '../head/early-dates.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { AccountCard } from './account-card.tsx'
import { formFailureOf } from './form-failure.ts'
import { readInvitation } from './invitations-api.ts'
import { isUnusableLink, linkValuesIn, useQueryOnce } from './link-values.ts'
import type { LinkValues } from './mail-links-api.ts'
import { SignUpForm } from './sign-up-form.tsx'
import { useLocalText } from './use-local-text.ts'
import { useViewer } from './viewer.tsx'

type Progress =
  | { at: 'asking' | 'expired' }
  | { at: 'found'; invitation: OwnInvitation }
  | { at: 'failed'; message: string }

export function InvitationPage() {
  const { isChecking, status } = useViewer()
  const link = useQueryOnce(linkValuesIn)
  if (!link)
    return <Message title={texts.invitation.incomplete} text={texts.invitation.openAgain} />
  if (isChecking) return <Asking />
  return status ? <SignedIn /> : <Invited link={link} />
}

function Invited({ link }: { link: LinkValues }) {
  const { progress, ask } = useInvitation(link)
  switch (progress.at) {
    case 'found':
      return (
        <SignUpForm
          invited={{ email: progress.invitation.email, link }}
          notice={<Notice invitation={progress.invitation} />}
        />
      )
    case 'expired':
      return <Message title={texts.invitation.expired} text={texts.invitation.expiredText} />
    case 'asking':
      return <Asking />
    case 'failed':
      return (
        <AccountCard title={texts.signUp.title} screen={texts.invitation.screen}>
          <Alert kind="error">{progress.message}</Alert>
          <Button kind="primary" onClick={ask}>
            {texts.actions.tryAgain}
          </Button>
        </AccountCard>
      )
  }
}

function Asking() {
  return (
    <AccountCard title={texts.signUp.title} screen={texts.invitation.screen}>
      <LoadingText>{texts.waiting.page}</LoadingText>
    </AccountCard>
  )
}

/** Asks whom the link is for, once, and again when `ask` is called. */
function useInvitation(link: LinkValues): { progress: Progress; ask: () => void } {
  const api = useApi()
  const [progress, setProgress] = useState<Progress>({ at: 'asking' })
  const [tries, setTries] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another question
  useEffect(() => {
    let isCurrent = true
    async function find(): Promise<Progress> {
      try {
        return { at: 'found', invitation: await readInvitation(api, link) }
      } catch (error) {
        return isUnusableLink(error)
          ? { at: 'expired' }
          : { at: 'failed', message: formFailureOf(error).message }
      }
    }
    void find().then((found) => {
      if (isCurrent) setProgress(found)
    })
    return () => {
      isCurrent = false
    }
  }, [api, link, tries])

  function ask() {
    setProgress({ at: 'asking' })
    setTries(tries + 1)
  }
  return { progress, ask }
}

function Notice({ invitation: { name, email, expire } }: { invitation: OwnInvitation }) {
  const { settings } = useApi()
  const until = useLocalText(expire, DATE_FORMAT)
  return (
    <div className="account-card__notice">
      <MailOpen className="icon" aria-hidden="true" />
      <p>
        <b>{texts.invitation.title}</b>{' '}
        {texts.invitation.text({
          who: name ? <bdi>{name}</bdi> : texts.invitation.somebody,
          site: settings.siteName,
          email: <b>{email}</b>,
          until: <time dateTime={expire}>{until}</time>,
        })}
      </p>
    </div>
  )
}

function SignedIn() {
  const { userData } = useViewer()
  return (
    <AccountCard title={texts.invitation.title} screen={texts.invitation.screen}>
      <p className="subtitle">
        {texts.invitation.signedInAs(<bdi>{userData?.name || userData?.email}</bdi>)}
      </p>
      <div className="row">
        <Link className={buttonClass('primary')} to="/dashboard">
          {texts.places.dashboard}
        </Link>
      </div>
    </AccountCard>
  )
}

/** A link that leads nowhere. */
function Message({ title, text }: { title: string; text: string }) {
  return (
    <AccountCard title={title} screen={texts.invitation.screen}>
      <p className="subtitle" role="alert">
        {text}
      </p>
      <div className="row">
        <Link className={buttonClass('primary')} to="/login">
          {texts.signing.in}
        </Link>
        <Link className={buttonClass('secondary')} to="/post">
          {texts.places.allPosts}
        </Link>
      </div>
    </AccountCard>
  )
}
