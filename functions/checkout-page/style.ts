/**
 * The style sheet of the page. From 900 px width, the summary is a separate column that stays in
 * view; on a phone it folds to one line. A picture that fails to load has no width, because its
 * `alt` is empty and its width is not set. So it leaves no gap, even without a script. For the same
 * reason, the space beside a picture is not a margin: `clip-path` cuts it from the picture.
 */
export const style = `
:root{color-scheme:light dark;--ink:light-dark(#231f1c,#f2ece6);--soft:light-dark(#5c534c,#b7aca2);--line:light-dark(#ddd5cd,#3d3630);--edge:light-dark(#8b8178,#857a70);--paper:light-dark(#fff,#231f1b);--ground:light-dark(#f7f3ee,#191613);--accent:light-dark(#8a3b12,#f0a070);--on-accent:light-dark(#fff,#191613);--bad:light-dark(#9b1c1c,#ff9d94);--good:light-dark(#17663a,#7fd6a0);--busy:light-dark(#6e645c,#a3978c);--focus:light-dark(#1a5fb4,#8ab8ff)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
header,main{max-width:34rem;margin:0 auto;padding:1rem}
header{display:flex;align-items:center;padding-bottom:0}
header p{margin:0 .75rem 0 0;font-weight:700;font-size:1.1rem;overflow-wrap:anywhere;min-width:0}
.logo,.picture{flex:none;line-height:0}
.logo img{height:3.25rem;max-width:11rem;margin:-.375rem 0;object-fit:contain;object-position:left;transform:scale(.77);transform-origin:left}
.picture img{height:4.25rem;max-width:4.25rem;margin:-.375rem 0;object-fit:cover;clip-path:inset(.375rem .75rem .375rem 0 round .4rem)}
header a{margin-left:auto;flex:none}
h1{font-size:1.5rem;margin:0 0 1rem;line-height:1.2}
h2{font-size:1.05rem;margin:1.25rem 0 .25rem}
section,form,aside{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;padding:1rem;margin:0 0 1rem}
aside section{border:0;border-top:1px solid var(--line);border-radius:0;padding:1rem 0 0;margin:1rem 0 0;background:none}
section>:first-child,form>h2:first-of-type,.fold+h2{margin-top:0}
.fold+h2{display:none}
section>:last-child,aside>:last-child{margin-bottom:0}
ul.cart{list-style:none;margin:0;padding:0}
ul.cart li{display:flex;align-items:center;padding:.5rem 0}
ul.cart li+li{border-top:1px solid var(--line)}
ul.cart span{overflow-wrap:anywhere;min-width:0}
ul.cart .amount{margin-left:auto;padding-left:.75rem}
dl.sums div{display:flex;justify-content:space-between;gap:1rem;padding:.3rem 0}
.amount,dd{flex:none;white-space:nowrap;font-variant-numeric:tabular-nums;margin:0}
dl.sums{margin:.25rem 0 0;padding-top:.25rem;border-top:1px solid var(--line)}
dl.sums .total{font-weight:700;font-size:1.15rem}
small,.hint{color:var(--soft);font-size:.9rem}
.fold summary{display:flex;gap:.5rem;align-items:center;cursor:pointer;list-style:none;font-weight:600}
.fold summary::-webkit-details-marker{display:none}
.fold summary::after{content:"";flex:none;width:.5rem;height:.5rem;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(45deg)}
.fold[open] summary::after{transform:rotate(225deg)}
.fold summary b{margin-left:auto;font-variant-numeric:tabular-nums}
.fold[open]{margin-bottom:.75rem}
.fold:not([open])~*{display:none}
label{display:block;font-weight:600;margin-top:.6rem}
label small{font-weight:400}
input,textarea{width:100%;font:inherit;color:inherit;background:var(--paper);padding:.55rem .65rem;border:1px solid var(--edge);border-radius:.45rem;margin-top:.2rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:0 .75rem}
.pair>div{min-width:0}
[aria-invalid=true]{border-color:var(--bad);border-width:2px}
.error{color:var(--bad);margin:.25rem 0 0;font-weight:600}
.alert{border-left:.35rem solid var(--bad)}
.alert ul{padding-left:1.2rem}
.done{border-left:.35rem solid var(--good)}
button,a.button{display:block;width:100%;font:inherit;font-weight:700;text-align:center;text-decoration:none;color:var(--on-accent);background:var(--accent);border:0;border-radius:.45rem;padding:.8rem;margin-top:1rem;cursor:pointer}
button.plain{background:var(--paper);color:var(--ink);border:1px solid var(--edge)}
button:disabled{background:var(--busy);color:var(--paper);cursor:progress}
table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{text-align:left;padding:.2rem .5rem .2rem 0;font-weight:400}
td:first-child{white-space:nowrap}
td:last-child{text-align:right;padding-right:0}
td button{display:inline-block;width:auto;margin:0;min-height:2.5rem;padding:0 .75rem;font-size:.9rem;font-weight:600}
.cards{margin-top:.75rem;color:var(--soft)}
.cards summary{cursor:pointer;padding:.5rem 0;font-size:.9rem}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.break{white-space:pre-line;overflow-wrap:anywhere}
@media (min-width:900px){
body{padding-top:1rem}
header,main.columns{max-width:62rem}
main.columns{display:grid;grid-template-columns:minmax(0,1fr) 22rem;gap:0 2rem;align-items:start}
main.columns>*{grid-column:1}
main.columns>aside{grid-column:2;grid-row:1/20;position:sticky;top:1rem}
aside .fold{display:none}
.fold+h2,.fold:not([open])~*{display:block}
}
`;
