/**
 * The style sheet of the page. From 900 px width, the summary is a separate column that stays in
 * view; on a phone it folds to one line. A picture that fails to load has no width, because its
 * `alt` is empty and its width is not set. So it leaves no gap, even without a script. For the same
 * reason, the space beside a picture is not a margin: the picture is drawn smaller than its box.
 */
export const style = `
:root{color-scheme:light dark;--ink:light-dark(#231f1c,#f2ece6);--soft:light-dark(#5c534c,#b7aca2);--line:light-dark(#e3dcd4,#3d3630);--edge:light-dark(#8b8178,#857a70);--paper:light-dark(#fff,#231f1b);--ground:light-dark(#f7f3ee,#191613);--accent:light-dark(#8a3b12,#f0a070);--on-accent:light-dark(#fff,#191613);--bad:light-dark(#9b1c1c,#ff9d94);--bad-tint:light-dark(#fdeeec,#3a211e);--good:light-dark(#17663a,#7fd6a0);--good-tint:light-dark(#e3f4e9,#1d3427);--wait:light-dark(#7a4f00,#f0c674);--wait-tint:light-dark(#fdf1d8,#372c17);--busy:light-dark(#6e645c,#a3978c);--focus:light-dark(#1a5fb4,#8ab8ff);--y:1.25rem;--x:1rem}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
header,main{max-width:34rem;margin:0 auto;padding:0 1rem}
header{display:flex;flex-wrap:wrap;align-items:center;min-height:4rem}
header p{margin:0 .75rem 0 0;font-weight:700;font-size:1.1rem;line-height:1.25;overflow-wrap:anywhere;min-width:min(6.5rem,100%);flex:1}
.logo,.picture{flex:none;line-height:0}
.logo img{height:3.25rem;max-width:11rem;margin:-.375rem 0;object-fit:contain;object-position:left;transform:scale(.77);transform-origin:left}
.picture img{height:4.5rem;max-width:4.5rem;margin:-.375rem 0;object-fit:cover;border-radius:.6rem;transform:scale(.8);transform-origin:left}
header a{margin-left:auto;flex:none;display:flex;gap:.35rem;align-items:center;min-height:2.75rem;color:var(--ink);text-decoration:none;font-weight:600;font-size:.95rem}
header a::before{content:"←" / ""}
header a:hover{text-decoration:underline}
main{padding-top:.75rem;padding-bottom:3rem}
main:first-child{padding-top:10vh}
h1{font-size:1.625rem;margin:0 0 1rem;line-height:1.2;letter-spacing:-.01em}
h2{display:flex;flex-wrap:wrap;gap:.25rem .75rem;justify-content:space-between;align-items:center;font-size:1.05rem;line-height:1.4;margin:0 0 .75rem}
p{margin:0 0 .75rem}
section,form,aside{background:var(--paper);border:1px solid var(--line);border-radius:.875rem;padding:var(--y) var(--x);margin:0 0 1rem}
section form,aside section{border:0;border-radius:0;padding:0;margin:0;background:none}
aside section{border-top:1px solid var(--line);padding-top:1rem;margin-top:1rem}
aside section h2{margin-bottom:.25rem}
section>:last-child,aside>:last-child,form>:last-child{margin-bottom:0}
.cart{list-style:none;margin:0;padding:0}
.cart li{display:flex;align-items:center;padding:.75rem 0;line-height:1.4}
.cart li:first-child{padding-top:0}
.cart li+li{border-top:1px solid var(--line)}
.cart span{overflow-wrap:anywhere;min-width:0;text-wrap:pretty}
.cart .amount{margin-left:auto;padding-left:1rem;font-weight:600}
dl{margin:0}
dl div,.known{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.3rem 0}
.known b{color:var(--ink);overflow-wrap:break-word;min-width:0}
dt{flex:none}
dt,.known{color:var(--soft)}
.amount,.number,.fold b,.sums dd{flex:none;white-space:nowrap;font-variant-numeric:tabular-nums}
dd{margin:0 0 0 auto;text-align:right;min-width:0;overflow-wrap:break-word}
.sums{padding-top:.5rem;border-top:1px solid var(--line)}
.sums .total{margin-top:.5rem;padding-top:.75rem;border-top:1px solid var(--line);font-weight:700;font-size:1.2rem}
.sums .total:first-child{margin:0;padding-top:.25rem;border:0}
.total dt{color:inherit}
small,.hint{color:var(--soft);font-size:.875rem}
.hint{margin:.75rem 0 0;text-align:center}
.fold{margin:calc(-1*var(--y)) calc(-1*var(--x))}
summary{display:flex;flex-wrap:wrap;gap:.1rem .5rem;align-items:center;justify-content:space-between;padding:.25rem 0;cursor:pointer;list-style:none;font-size:.9rem}
.fold summary{padding:var(--y) var(--x);font-size:1rem;font-weight:600}
.fold span{flex:1}
.fold small{order:1;flex-basis:100%;font-weight:400}
summary::-webkit-details-marker{display:none}
summary::after{content:"";flex:none;width:.5rem;height:.5rem;margin:-.25rem .2rem 0;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(45deg)}
[open]>summary::after{margin-top:.25rem;transform:rotate(225deg)}
.fold[open]{margin-bottom:-.25rem}
form>h2:not(:first-of-type){margin-top:1.75rem}
.badge{flex:none;font-size:.75rem;font-weight:700;line-height:1.25rem;padding:.1rem .55rem;color:var(--wait);background:var(--wait-tint);border-radius:1rem}
label{display:block;font-weight:600;font-size:.9rem}
label small{font-weight:400}
.field{margin-bottom:.875rem;min-width:0}
input,textarea,select{display:block;width:100%;min-height:2.75rem;font:inherit;line-height:1.5;color:inherit;background:var(--paper);padding:.55rem .75rem;border:1px solid var(--edge);border-radius:.5rem;margin-top:.25rem}
select{appearance:none;padding-right:2rem;background:var(--paper) url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 12 8' fill='none' stroke='%237a7068' stroke-width='2'%3E%3Cpath d='m1 1 5 5 5-5'/%3E%3C/svg%3E") right .8rem center/.75rem .5rem no-repeat}
textarea{resize:none;field-sizing:content}
::placeholder{color:var(--soft);opacity:1}
.row{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(6.5rem,100%),1fr));gap:0 .75rem}
.row.contact{grid-template-columns:minmax(0,1fr)}
.row .city,.row.contact>:last-child:nth-child(odd){grid-column:1/-1}
.inside{position:relative;display:block}
.inside .icon{position:absolute;right:.75rem;top:calc(50% + .125rem);translate:0 -50%;color:var(--soft);pointer-events:none}
#card_number{padding-right:2.75rem;font-variant-numeric:tabular-nums;letter-spacing:.02em}
[aria-invalid=true]{border-color:var(--bad);box-shadow:0 0 0 1px var(--bad)}
.error{color:var(--bad);margin:.3rem 0 0;font-weight:600;font-size:.9rem;text-wrap:pretty;overflow-wrap:anywhere}
.icon{flex:none;width:1.25rem;height:1.25rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.alert{display:flex;gap:.75rem;padding:.875rem 1rem;background:var(--bad-tint);border-color:light-dark(#f1c9c4,#6b3530)}
.alert>.icon{margin-top:.125rem;color:var(--bad)}
.alert p{margin:0;font-weight:600;text-wrap:pretty}
.alert ul{margin:.25rem 0 0;padding-left:1.2rem}
.alert a{color:inherit}
.state{padding:1.75rem 1rem 1rem;text-align:center}
.state h1{margin-bottom:.5rem;font-size:1.375rem;text-wrap:balance}
.state p{color:var(--soft);text-wrap:balance}
.state dl{margin-top:1.25rem;border-top:1px solid var(--line)}
.state dl div{padding:.6rem 0;border-bottom:1px solid var(--line)}
.state dd{font-weight:600}
.state .mark{display:grid;place-items:center;width:3.5rem;height:3.5rem;margin:0 auto 1rem;border-radius:50%;color:var(--wait);background:var(--wait-tint)}
.state .mark .icon{width:1.75rem;height:1.75rem}
.state .mark.good{color:var(--good);background:var(--good-tint)}
.state .mark.bad{color:var(--bad);background:var(--bad-tint)}
button,a.button{display:flex;gap:.6rem;align-items:center;justify-content:center;width:100%;min-height:3rem;font:inherit;font-weight:700;text-align:center;text-decoration:none;color:var(--on-accent);background:var(--accent);border:1px solid transparent;border-radius:.5rem;padding:.5rem 1rem;margin-top:1.25rem;cursor:pointer}
button:hover,a.button:hover{opacity:.92}
.row button{margin-top:0}
button.plain{background:var(--paper);color:var(--ink);border-color:var(--edge)}
.state .plain{margin-top:.75rem}
button:disabled{background:var(--busy);color:var(--paper);cursor:progress}
.cards{margin-top:1rem;color:var(--soft)}
.cards ul{margin-top:.75rem}
.cards button{width:auto;margin:0 0 0 auto}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
[tabindex="-1"]:focus{outline:0}
.break{white-space:pre-line;overflow-wrap:anywhere}
@media (max-width:479px){
header a{font-size:0}
header a::before,header a::after{font-size:.95rem}
header a::after{content:var(--shop) / ""}
}
@media (min-width:480px){
.row.contact{grid-template-columns:repeat(2,minmax(0,1fr))}
.row.place{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr) minmax(0,1fr)}
.row.place.two{grid-template-columns:minmax(0,.6fr) minmax(0,1fr)}
.row .city{grid-column:auto}
body{--y:1.5rem;--x:1.5rem}
.state{padding:2.25rem 1.5rem 1.5rem}
.state h1{font-size:1.625rem}
}
@media (min-width:900px){
header,main:has(aside){max-width:64rem}
header{min-height:4.5rem}
main{padding-top:.5rem}
main:has(aside){display:grid;grid-template-columns:minmax(0,1fr) 23rem;gap:0 2rem;align-items:start}
main>h1{grid-column:1/-1}
main>div{grid-row:2;grid-column:1}
aside{grid-row:2;grid-column:2;position:sticky;top:1rem}
.fold{display:none}
}
@media (max-width:899px){
.fold+h2,.fold:not([open])~*{display:none}
}
@media print{
:root{color-scheme:light}
body{background:none}
header,main{max-width:none;padding:0}
section,form,aside{border:0;padding:0;margin-bottom:1.5rem;break-inside:avoid}
.state{padding:0;text-align:left}
.state .mark,header a,button,a.button,.cards,.picture{display:none}
}
`;
