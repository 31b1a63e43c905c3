// /signup: the form of a new account, or that registration is closed (product.md §2).
import { Link } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { GoogleButton } from './google-button.tsx'
import { SignUpForm } from './sign-up-form.tsx'

export function SignUpPage() {
  const { settings } = useApi()
  if (!settings.isRegistrationOpen) return <Closed />
  return (
    <SignUpForm>
      <GoogleButton />
    </SignUpForm>
  )
}

function Closed() {
  const { settings } = useApi()
  return (
    <>
      <PageTitle
        screen={texts.signing.up}
        site={settings.siteName}
        description={texts.signUpClosed.text}
      />
      <MessageScreen
        art="off"
        title={texts.signUpClosed.title}
        actions={
          <Link className={buttonClass('primary')} to="/login">
            {texts.signing.in}
          </Link>
        }
      >
        <p>{texts.signUpClosed.text}</p>
      </MessageScreen>
    </>
  )
}
