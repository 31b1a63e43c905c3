// The package names its types where its list of entries hides them; they are those of the next one.
declare module 'appwrite-10' {
  export * from 'appwrite-11'
}
