// The turning ring. Decoration: the words beside it say what is going on.
import { LoaderCircle } from 'lucide-react'

export function Spinner() {
  return <LoaderCircle className="icon spinner" aria-hidden="true" />
}
