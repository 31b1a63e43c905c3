// The viewer's avatar: small and round.
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { avatarAddress, initialsAddress } from './avatar-address.ts'

export function ViewerAvatar({ account, sidePixels }: { account: Account; sidePixels: number }) {
  const api = useApi()
  const wanted = avatarAddress(api, account, sidePixels * 2)
  const [broken, setBroken] = useState<string | undefined>()
  // A file that was deleted falls back to the initials.
  const src = broken === wanted ? initialsAddress(api, account.name, sidePixels * 2) : wanted
  return (
    <img
      src={src}
      alt=""
      width={sidePixels}
      height={sidePixels}
      decoding="async"
      onError={() => setBroken(wanted)}
    />
  )
}
