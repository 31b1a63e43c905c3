// Any other path: the landing of sign-in links when both values are there, else the 404
// screen (product.md §O7).
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { linkValuesIn } from './link-values.ts'
import { NotFound } from './not-found.tsx'
import { returnStateOf } from './return-path.ts'
import { SignInLink } from './sign-in-link.tsx'

export function OtherPathPage() {
  const { pathname } = useLocation()
  return <OtherPath key={pathname} />
}

function OtherPath() {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const [link] = useState(() => linkValuesIn(search))
  const [returnState] = useState(() => returnStateOf({ search, state }))
  // A wrong address keeps its query; the values of a link are removed at once.
  useEffect(() => {
    if (link && search) void navigate(pathname, { replace: true })
  }, [link, search, pathname, navigate])
  return link ? <SignInLink link={link} returnState={returnState} /> : <NotFound path={pathname} />
}
